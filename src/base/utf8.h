/*
 * utf8 -- telling text from bytes that only look like it.
 *
 * Names come from the user's program, files from anywhere: before they go to a
 * terminal or into JSON, every byte that is not part of text has to be found.
 */
#ifndef BASE_UTF8_H
#define BASE_UTF8_H

#include <stdint.h>

/*
 * Length of the character that begins here, 1 to 4, and its code point; 0 if no
 * valid one does (overlong forms, surrogates, beyond U+10FFFF).  At the zero
 * that ends the text: 1 and 0.
 */
int utf8_next(const char *text, uint32_t *point);

#endif
