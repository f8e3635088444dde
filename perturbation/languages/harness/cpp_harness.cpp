// Linked with a C++ program and its tests: goes round main, and reports each case through the results pipe.
//
// It shares a process with hostile text, so the reader trusts only lines with the nonce, which comes on standard input
// and is read before any of the program's own code runs, and only with the line that says the end.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <fcntl.h>
#include <iostream>
#include <map>
#include <new>
#include <string>
#include <time.h>
#include <unistd.h>

#include "axiom_cases.hpp"
#undef assert

namespace {

char nonce[64];
int results = -1;
pid_t owner;
bool has_note;
axiom::Text noted_actual, noted_expected;

double now()
{
    timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec + time.tv_nsec * 1e-9;
}

std::string quoted(const std::string& text)
{
    std::string out = "\"";
    for (unsigned char letter : text.substr(0, 600)) {
        char code[8];
        if (letter == '"' || letter == '\\') out += '\\';
        if (letter >= 0x20 && letter != 0x7f) out += letter;
        else std::snprintf(code, sizeof code, "\\u%04x", letter), out += code;
    }
    return out + "\"";
}

std::string optional(const axiom::Text& text)
{
    return has_note ? quoted(std::string(text.letters, text.size)) : "null";
}

// One line; nothing in a process that the program forked off.
void record(const std::string& words)
{
    if (getpid() != owner || results < 0) return;
    const std::string line = std::string("\n") + nonce + " [" + words + "]\n";
    for (size_t done = 0; done < line.size();) {
        const ssize_t count = write(results, line.data() + done, line.size() - done);
        if (count < 0) return;
        done += count;
    }
}

struct Known {
    bool has_failed = false, is_told = false;
    double started = 0;
};

Known& known(const char* key)
{
    // Never taken down: static destructors of the program may still assert.
    static auto& all = *new std::map<std::string, Known>;
    return all[key];
}

void tell(const char* key, const char* outcome, const std::string& message, double seconds)
{
    char time[32];
    std::snprintf(time, sizeof time, "%.6f", seconds);
    record("\"case\", " + quoted(key) + ", \"" + outcome + "\", " + optional(noted_expected) + ", "
           + optional(noted_actual) + ", " + quoted(message) + ", " + time);
}

// The first round that does not hold decides.
void decide(const char* key, const char* outcome, const std::string& message)
{
    Known& one = known(key);
    const bool failed = std::strcmp(outcome, "passed") != 0;
    if (one.has_failed || (one.is_told && !failed)) return;
    one.has_failed = failed;
    one.is_told = true;
    tell(key, outcome, message, now() - one.started);
}

void decide_error(const char* key, const std::exception& error)
{
    has_note = false;
    decide(key, "error", std::string("threw an exception: ") + error.what());
    if (dynamic_cast<const std::bad_alloc*>(&error)) record("\"memory\"");
}

// Called before all constructors, those of libraries too: no code of the program reads the nonce first.
void open_results(int, char**, char** environment)
{
    owner = getpid();
    static const char name[] = "AXIOM_RESULTS_FD=";
    for (char** one = environment; *one; ++one) {
        if (std::strncmp(*one, name, sizeof name - 1) != 0) continue;
        results = std::atoi(*one + sizeof name - 1);
        for (; *one; ++one) *one = one[1];
        break;
    }
    const ssize_t size = read(0, nonce, sizeof nonce - 1);
    nonce[size > 0 ? size : 0] = '\0';
    const int nothing = open("/dev/null", O_RDONLY);
    dup2(nothing, 0);
    close(nothing);
}

__attribute__((section(".preinit_array"), used)) void (*const first)(int, char**, char**) = open_results;

}  // namespace

namespace axiom {

void put(Text& text, const char* letters, unsigned long size)
{
    const unsigned long room = sizeof text.letters - text.size;
    const unsigned long count = size < room ? size : room;
    std::memcpy(text.letters + text.size, letters, count);
    text.size += count;
}

void put_quoted(Text& text, const char* letters, unsigned long size)
{
    put(text, "\"", 1);
    put(text, letters, size);
    put(text, "\"", 1);
}

void show(Text& text, bool value) { value ? put(text, "true", 4) : put(text, "false", 5); }

void show(Text& text, char value)
{
    put(text, "'", 1);
    put(text, &value, 1);
    put(text, "'", 1);
}

template <class T> static void print(Text& text, const char* form, T value)
{
    char letters[64];
    put(text, letters, std::snprintf(letters, sizeof letters, form, value));
}

void show(Text& text, long long value) { print(text, "%lld", value); }
void show(Text& text, unsigned long long value) { print(text, "%llu", value); }
void show(Text& text, long double value) { print(text, "%.9Lg", value); }
void show(Text& text, const char* value)
{
    value ? put_quoted(text, value, std::strlen(value)) : put(text, "null", 4);
}

void note(const Text& actual, const Text& expected)
{
    noted_actual = actual;
    noted_expected = expected;
    has_note = true;
}

void run_case(const char* key, bool (*holds)(void*), void* condition)
{
    Known& one = known(key);
    one.started = now();
    if (!one.is_told) record(std::string("\"start\", ") + quoted(key));
    has_note = false;
    try {
        const bool held = holds(condition);
        has_note = has_note && !held;
        held ? decide(key, "passed", "") : decide(key, "failed", "the assertion does not hold");
    } catch (const std::exception& error) {
        decide_error(key, error);
    } catch (...) {
        has_note = false;
        decide(key, "error", "threw something that is no std::exception");
    }
}

// For test frameworks that tell the outcome of a case themselves.
void start_case(const char* key)
{
    known(key).started = now();
    has_note = false;
    record(std::string("\"start\", ") + quoted(key));
}

void end_case(const char* key, const char* outcome, const char* message)
{
    has_note = false;
    decide(key, outcome, message);
}

}  // namespace axiom

extern "C" int __real_main(int, char**, char**);

extern "C" int __wrap_main(int count, char** words, char** environment)
{
    int code = 0;
    try {
        code = __real_main(count, words, environment);
    } catch (const std::exception& error) {
        known("main").started = now();
        decide_error("main", error);
    } catch (...) {
        has_note = false;
        decide("main", "error", "threw something that is no std::exception");
    }
    std::cout.flush();
    std::cerr.flush();
    std::fflush(nullptr);
    record("\"end\", " + std::to_string(code));
    // Threads and exit handlers of the program do not get to run.
    _exit(code);
}
