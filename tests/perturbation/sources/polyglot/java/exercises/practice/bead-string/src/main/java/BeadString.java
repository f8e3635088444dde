class BeadString {
    int longestRun(String beads) {
        throw new UnsupportedOperationException("Write this method.");
    }
}
