/*-------------------------------------------------------------------------
 *
 * parallel.h
 *	  Work that several processes do: its items have numbers.
 *
 *-------------------------------------------------------------------------
 */
#ifndef PARALLEL_H
#define PARALLEL_H

typedef struct Work
{
	int			count;			/* of items */
	int			jobs;			/* processes at a time */
	bool		(*is_open) (int item);	/* is it to be done? */
	void		(*begin) (int unused);	/* before each */
	void		(*step) (int item);
	void		(*leave) (int item);	/* if the step has failed */
	void		(*watch) (void);	/* from time to time; NULL: nobody does */
} Work;

extern void *share_memory(size_t size);
extern void start_parallel(void);
extern void handle_signals(void);
extern int	count_open(const Work *work);
extern void do_alone(const Work *work);
extern void do_parallel(const Work *work);

#endif							/* PARALLEL_H */
