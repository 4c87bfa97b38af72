/*
 * assertion -- a failing assert() passes by here, so that its stack has a frame with this name.
 *
 * In the C library itself it need not have one: since version 2.41 __assert_fail ends in a jump to a function without a name.
 */
#include <assert.h>
#include <dlfcn.h>
#include <stdlib.h>

typedef void fail_function(const char *assertion, const char *file, unsigned line, const char *function);

__attribute__((visibility("default"))) void __assert_fail(const char *assertion, const char *file, unsigned line,
                                                          const char *function)
{
    fail_function *fail;
    *(void **)&fail = dlsym(RTLD_NEXT, "__assert_fail");
    if (fail)
        fail(assertion, file, line, function);
    abort(); /* which also keeps the call above from being a jump */
}
