#include "shim/virtual/thread_number.h"

#include <pthread.h>
#include <stdatomic.h>

#include "shim/shim.h"
#include "shim/turns.h"

static uint8_t number_by_first_call(void)
{
    static _Atomic unsigned counted;
    static __thread unsigned number; /* from 1; 0: it has made none yet */
    if (!number)
        number = atomic_fetch_add(&counted, 1) + 1;
    return (uint8_t)(number - 1 < UINT8_MAX ? number - 1 : UINT8_MAX);
}

uint8_t thread_number(bool in_search)
{
    if (!in_search) /* there are no turns */
        return number_by_first_call();
    int speaker = turns_speaker();
    if (speaker >= 0)
        return (uint8_t)speaker;
    return shim.initialized && !pthread_equal(shim.main_thread, pthread_self());
}
