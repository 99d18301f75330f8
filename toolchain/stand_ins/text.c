/* Numbers that are written as text and read back, with --enzyme-follow-text: a number that is read where it was written
 * has the derivative of what was written. The runtime (runtime/text.c) finds the places; `numbers` holds what was written
 * there, and is differentiated as any array. Differentiated code calls these only with that option. */
#include "stand_in.h"

#define TEXT_STAND_IN(NAME) __ez_stand_in_text_##NAME

/* As in runtime/text.c. */
enum { MOST = 1024, MOST_CONVERSIONS = 64 };
struct conversions {
    int64_t count;
    int64_t place[MOST_CONVERSIONS]; /* of a number, in the text; negative: it is cut off */
    unsigned char kind[MOST_CONVERSIONS];
};
struct places {
    uint64_t place[MOST];
    int64_t value[MOST];
    int64_t count;
};

int __ez_text_print(char *to, uint64_t size, const char *format, __builtin_va_list list, struct conversions *found);
void __ez_text_wrote(struct places *places, const char *place, int64_t *number);
double __ez_text_number(const char *text, char **end);
float __ez_text_float(const char *text, char **end);
void __ez_text_read(struct places *places, const char *text, double value, int64_t *number);
double __ez_text_constant(double x);

static _Thread_local struct places places;
static _Thread_local double numbers[MOST];

static void keep_number(const char *place, double value) {
    int64_t number;
    __ez_text_wrote(&places, place, &number);
    if (number >= 0)
        numbers[number] = value;
}

static int print_text(char *to, uint64_t size, const char *format, __builtin_va_list list) {
    struct conversions found;
    __builtin_va_list copy;
    __builtin_va_copy(copy, list);
    int length = __ez_text_print(to, size, format, copy, &found);
    __builtin_va_end(copy);
    for (int64_t k = 0; k < found.count; k++) {
        double value;
        if (found.kind[k] == 'd')
            value = __builtin_va_arg(list, double);
        else if (found.kind[k] == 'l')
            value = (double)__builtin_va_arg(list, long double);
        else {
            (void)__builtin_va_arg(list, int64_t);
            continue;
        }
        if (found.place[k] >= 0)
            keep_number(to + found.place[k], value);
    }
    return length;
}

#define PRINT(LAST, SIZE)                      \
    __builtin_va_list list;                    \
    __builtin_va_start(list, LAST);            \
    int length = print_text(to, SIZE, format, list); \
    __builtin_va_end(list);                    \
    return length

int TEXT_STAND_IN(sprintf)(char *to, const char *format, ...) { PRINT(format, INT32_MAX); }
int TEXT_STAND_IN(snprintf)(char *to, uint64_t size, const char *format, ...) { PRINT(format, size); }
int TEXT_STAND_IN(__sprintf_chk)(char *to, int flag, uint64_t room, const char *format, ...) {
    (void)flag;
    PRINT(format, room < INT32_MAX ? room : INT32_MAX);
}
int TEXT_STAND_IN(__snprintf_chk)(char *to, uint64_t size, int flag, uint64_t room, const char *format, ...) {
    (void)flag, (void)room;
    PRINT(format, size);
}

/* Returns the value of the text, with the derivative of what was written there. */
static double with_derivative(const char *text, double value) {
    int64_t number;
    __ez_text_read(&places, text, value, &number);
    if (number < 0)
        return value;
    double written = numbers[number];
    return value + (written - __ez_text_constant(written));
}

double TEXT_STAND_IN(strtod)(const char *text, char **end) { return with_derivative(text, __ez_text_number(text, end)); }
double TEXT_STAND_IN(atof)(const char *text) { return with_derivative(text, __ez_text_number(text, NULL)); }
float TEXT_STAND_IN(strtof)(const char *text, char **end) {
    return (float)with_derivative(text, __ez_text_float(text, end));
}
