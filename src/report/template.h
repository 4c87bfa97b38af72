/*
 * template -- the HTML report without its data: viewer/report.html, as it was built.
 */
#ifndef REPORT_TEMPLATE_H
#define REPORT_TEMPLATE_H

/* Ends with a zero byte. */
extern const char report_template[];

#endif
