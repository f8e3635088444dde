class BeadString {
    int longestRun(String beads) {
        int longest = 0;
        Run run = new Run();
        for (char bead : beads.toCharArray()) {
            longest = Math.max(longest, run.add(bead));
        }
        return longest;
    }
}
