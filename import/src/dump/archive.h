/*-------------------------------------------------------------------------
 *
 * archive.h
 *	  From an archive of mongodump to the directory of a dump.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ARCHIVE_H
#define ARCHIVE_H

extern void unpack_archive(const char *path, const char *directory);

#endif							/* ARCHIVE_H */
