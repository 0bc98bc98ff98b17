/*-------------------------------------------------------------------------
 *
 * documents.h
 *	  The documents of a file.
 *
 *-------------------------------------------------------------------------
 */
#ifndef DOCUMENTS_H
#define DOCUMENTS_H

#include "json_read.h"

extern Finding find_document(Source *source, Document *document, bool may_read);
extern Finding find_sound_document(Source *source, Document *document);

#endif							/* DOCUMENTS_H */
