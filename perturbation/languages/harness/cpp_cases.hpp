// Included between a C++ program and its tests: turns every assert of the tests into a case that reports itself.
// Includes no header of its own, so that a program compiles with exactly the headers that it asks for.
#ifndef AXIOM_CASES
#define AXIOM_CASES

namespace axiom {

struct Text {
    char letters[512];
    unsigned long size;
    bool is_known;
};

void run_case(const char* key, bool (*holds)(void*), void* condition);
void note(const Text& actual, const Text& expected);
void put(Text& text, const char* letters, unsigned long size);
void put_quoted(Text& text, const char* letters, unsigned long size);
void show(Text& text, bool value);
void show(Text& text, char value);
void show(Text& text, long long value);
void show(Text& text, unsigned long long value);
void show(Text& text, long double value);
void show(Text& text, const char* value);
inline void show(Text& text, signed char value) { show(text, static_cast<long long>(value)); }
inline void show(Text& text, unsigned char value) { show(text, static_cast<long long>(value)); }
inline void show(Text& text, short value) { show(text, static_cast<long long>(value)); }
inline void show(Text& text, unsigned short value) { show(text, static_cast<long long>(value)); }
inline void show(Text& text, int value) { show(text, static_cast<long long>(value)); }
inline void show(Text& text, unsigned value) { show(text, static_cast<unsigned long long>(value)); }
inline void show(Text& text, long value) { show(text, static_cast<long long>(value)); }
inline void show(Text& text, unsigned long value) { show(text, static_cast<unsigned long long>(value)); }
inline void show(Text& text, float value) { show(text, static_cast<long double>(value)); }
inline void show(Text& text, double value) { show(text, static_cast<long double>(value)); }

template <class T> void show(Text& text, const T& value);

struct Last {};
struct Third : Last {};
struct Second : Third {};
struct First : Second {};

// Text: anything with letters in a row. Then what can be walked through, pairs, and what cannot be shown.
inline void put_letters(Text& text, const char* letters, unsigned long size) { put_quoted(text, letters, size); }

template <class T> auto show_as(Text& text, const T& value, First)
    -> decltype(put_letters(text, value.data(), value.size()))
{
    put_letters(text, value.data(), value.size());
}

template <class T> auto show_as(Text& text, const T& value, Second) -> decltype(value.begin() == value.end(), void())
{
    put(text, "{", 1);
    bool is_first = true;
    for (const auto& one : value) {
        if (!is_first) put(text, ", ", 2);
        is_first = false;
        show(text, one);
        if (text.size >= sizeof text.letters) break;
    }
    put(text, "}", 1);
}

template <class T> auto show_as(Text& text, const T& value, Third) -> decltype(value.first, value.second, void())
{
    put(text, "(", 1);
    show(text, value.first);
    put(text, ", ", 2);
    show(text, value.second);
    put(text, ")", 1);
}

template <class T> void show_as(Text& text, const T&, Last) { put(text, "?", 1); }

template <class T> void show(Text& text, const T& value) { show_as(text, value, First()); }

template <class L, class R> bool noted(bool holds, const L& left, const R& right)
{
    if (!holds) {
        Text actual = {{}, 0, true}, expected = {{}, 0, true};
        show(actual, left);
        show(expected, right);
        note(actual, expected);
    }
    return holds;
}

// `Start() <= a == b` reads as `(Start() <= a) == b`: so both sides of the last comparison are seen.
template <class L> struct Left {
    const L& value;
    explicit operator bool() const { return static_cast<bool>(value); }
    template <class R> bool operator==(const R& right) const { return noted(value == right, value, right); }
    template <class R> bool operator!=(const R& right) const { return noted(value != right, value, right); }
    template <class R> bool operator<(const R& right) const { return noted(value < right, value, right); }
    template <class R> bool operator>(const R& right) const { return noted(value > right, value, right); }
    template <class R> bool operator<=(const R& right) const { return noted(value <= right, value, right); }
    template <class R> bool operator>=(const R& right) const { return noted(value >= right, value, right); }
    template <class R> auto operator&(const R& right) const { return value & right; }
    template <class R> auto operator|(const R& right) const { return value | right; }
    template <class R> auto operator^(const R& right) const { return value ^ right; }
};

struct Start {
    template <class L> Left<L> operator<=(const L& left) const { return {left}; }
};

template <class F> void settle(const char* key, F condition)
{
    run_case(key, [](void* held) -> bool { return (*static_cast<F*>(held))(); }, &condition);
}

}  // namespace axiom

#ifdef AXIOM_PLAIN
#define axiom_case(key, ...) axiom::settle(key, [&]() -> bool { return static_cast<bool>(__VA_ARGS__); })
#else
#define axiom_case(key, ...) \
    axiom::settle(key, [&]() -> bool { return static_cast<bool>(axiom::Start() <= __VA_ARGS__); })
#endif

#endif

#define AXIOM_TEXT(word) #word
#define AXIOM_VALUE(word) AXIOM_TEXT(word)
#undef assert
#define assert(...) axiom_case("L" AXIOM_VALUE(__LINE__) ": " #__VA_ARGS__, __VA_ARGS__)
