/*
 * kernel_filter -- system calls of the shim itself, which nobody wants to hear of.
 *
 * The filter (shim/kernel_filter.c) reports system calls that change what the kernel keeps for the
 * program (world/kernel_watch.h).  No call has six arguments of which the last one is this number, so
 * the shim gives it to those of its own that would be reported otherwise.
 */
#ifndef CALL_KERNEL_FILTER_H
#define CALL_KERNEL_FILTER_H

#define KERNEL_FILTER_OURS 0x746f75726e657931 /* fits no descriptor, no flags and no address */

#endif
