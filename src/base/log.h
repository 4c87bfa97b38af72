/*
 * log -- what tourney does, for those who work on it: TOURNEY_LOG=explore,drive tourney -n 3 ./program
 *
 * Always compiled in.  Where an area is off, a line costs the test of one bit.  Lines go to standard
 * error, each in one write, with the seconds since tourney began and the area, so that several areas can be told apart
 * and sorted out with grep.
 */
#ifndef BASE_LOG_H
#define BASE_LOG_H

#define LOG_AREAS(X)                                                            \
    X(explore) /* states, what is left for later, what is expanded again */     \
    X(drive)   /* ranks that are started, copied, looked at and merged */       \
    X(world)   /* processes that come up and end */                             \
    X(play)    /* what is decided in a single run */                            \
    X(dist)    /* jobs: where they are led, where they came */                  \
    X(predict) /* questions to the solver */                                   \
    X(flow)    /* ranks that are followed step by step, and what came of it */  \
    X(check)   /* runs that are looked at: what is compared */

#define LOG_AREA(area) LOG_##area,
enum log_area { LOG_AREAS(LOG_AREA) };
#undef LOG_AREA

extern unsigned log_on; /* 1 << area, of those that are on */

/* Reads TOURNEY_LOG; what is no area is an error, and ends tourney. */
void log_open(void);

void log_line(enum log_area, const char *format, ...) __attribute__((format(printf, 2, 3), cold));

#define LOG(area, ...)                                                 \
    do {                                                               \
        if (__builtin_expect((log_on >> LOG_##area & 1) != 0, 0))      \
            log_line(LOG_##area, __VA_ARGS__);                         \
    } while (0)

#endif
