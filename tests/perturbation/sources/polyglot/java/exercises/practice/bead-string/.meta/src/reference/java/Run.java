class Run {
    private char colour;
    private int length;

    int add(char bead) {
        length = length > 0 && bead == colour ? length + 1 : 1;
        colour = bead;
        return length;
    }
}
