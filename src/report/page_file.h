/*
 * page_file -- the page of a result directory, as a file.
 *
 * What the directory lacks is said on standard error, and the page does without.
 */
#ifndef REPORT_PAGE_FILE_H
#define REPORT_PAGE_FILE_H

/* Its name, owned by the caller: `output` or, if that is NULL, one in the directory.  Dies with a sentence if it cannot. */
char *page_file_make(const char *dir, const char *output);

#endif
