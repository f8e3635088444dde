/* Linked with a Rust test program: goes round its main, and tells the reader that main came back, and with what.
 *
 * libtest leaves the process itself where a test failed, so only a run in which all passed comes back; a program that
 * leaves early never does, whatever it printed before. The nonce comes on standard input, before the program runs. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char nonce[64];
static int results = -1;
static pid_t owner;

/* Called before all constructors: no code of the program reads the nonce first. */
static void open_results(int count, char** words, char** environment)
{
    static const char name[] = "AXIOM_RESULTS_FD=";
    ssize_t size = read(0, nonce, sizeof nonce - 1);
    int nothing = open("/dev/null", O_RDONLY);
    for (char** one = environment; *one; ++one) {
        if (strncmp(*one, name, sizeof name - 1) != 0) continue;
        results = atoi(*one + sizeof name - 1);
        for (; *one; ++one) *one = one[1];
        break;
    }
    nonce[size > 0 ? size : 0] = '\0';
    dup2(nothing, 0);
    close(nothing);
    owner = getpid();
}

__attribute__((section(".preinit_array"), used)) static void (*const first)(int, char**, char**) = open_results;

int __real_main(int, char**);

int __wrap_main(int count, char** words)
{
    int code = __real_main(count, words);
    if (getpid() == owner) dprintf(results, "\n%s end %d\n", nonce, code);
    return code;
}
