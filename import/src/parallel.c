/*-------------------------------------------------------------------------
 *
 * parallel.c
 *	  Processes that share work, and signals that end it.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres_fe.h"

#include <sys/mman.h>
#include <sys/wait.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif
#include <unistd.h>

#include "collection.h"
#include "message.h"
#include "parallel.h"

#define CANNOT_BEGIN 2			/* exit status of a process */

static pid_t main_process;
static pid_t processes[MAX_JOBS];	/* by slot; 0 if it is free */
static int *next_item;			/* in shared memory */

/* share_memory - memory that all processes share, of zeros */
void *
share_memory(size_t size)
{
	void	   *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
							  -1, 0);

	if (memory == MAP_FAILED)
		pg_fatal("out of memory");
	return memory;
}

/* start_parallel - before all else here */
void
start_parallel(void)
{
	main_process = getpid();
	next_item = share_memory(sizeof(int));
	signal(SIGCHLD, SIG_DFL);	/* who starts the program may ignore it */
}

/* finish what is begun; a second signal ends the program at once */
static void
handle_interrupt(int signal_number)
{
	static const char message[] = PROGRAM ": finishing this batch; once more to stop at once\n";

	interrupted = 1;
	signal(signal_number, SIG_DFL);
	if (getpid() != main_process)
		return;
	if (write(STDERR_FILENO, message, sizeof(message) - 1) < 0)
		_exit(130);
	for (int i = 0; i < MAX_JOBS; i++)
		if (processes[i] > 0)
			kill(processes[i], SIGTERM);
}

/* handle_signals - from now on, set "interrupted", which ends the work */
void
handle_signals(void)
{
	signal(SIGINT, handle_interrupt);
	signal(SIGTERM, handle_interrupt);
}

/* count_open - how many items are to be done? */
int
count_open(const Work *work)
{
	int			count = 0;

	for (int i = 0; i < work->count; i++)
		count += work->is_open(i);
	return count;
}

/* is there an open item that no process has taken? */
static bool
is_waiting(const Work *work)
{
	int			item = *next_item;

	while (item < work->count && !work->is_open(item))
		item++;
	return item < work->count && !interrupted;
}

/*
 * Do items that no other process takes.  Returns false if this process cannot begin, for example,
 * connect: then it takes none from the others.
 */
static bool
do_items(const Work *work)
{
	while (is_waiting(work))
	{
		int			item;

		if (!succeeds(work->begin, 0))
			return false;
		do
			item = interrupted ? work->count : __atomic_fetch_add(next_item, 1, __ATOMIC_SEQ_CST);
		while (item < work->count && !work->is_open(item));
		if (item < work->count && !succeeds(work->step, item))
			work->leave(item);
	}
	return true;
}

/* do_alone - do all items in this process */
void
do_alone(const Work *work)
{
	*next_item = 0;
	do_items(work);
}

/* do items in a process of its own */
static void
start_process(const Work *work)
{
	int			slot = 0;
	pid_t		process;

	while (processes[slot] != 0)
		slot++;
	fflush(NULL);
	process = processes[slot] = fork();
	if (process < 0)
		pg_fatal("could not create a process: %m");
	if (process > 0)
	{
		/* the signal came before its number was known */
		if (interrupted)
			kill(process, SIGTERM);
		return;
	}
#ifdef __linux__
	prctl(PR_SET_PDEATHSIG, SIGKILL);
#endif
	if (getppid() != main_process)
		exit(1);
	exit(!do_items(work) ? CANNOT_BEGIN : failed ? 1 : 0);
}

/* Wait until one of the processes ends, and free its slot.  Returns false if it could not begin. */
static bool
wait_for_process(const Work *work)
{
	int			status;
	int			slot = MAX_JOBS;
	pid_t		process;

	/* those of others end here, too: any orphan, as process 1 */
	while (slot == MAX_JOBS)
	{
		process = waitpid(-1, &status, work->watch ? WNOHANG : 0);
		if (process < 0 && errno != EINTR)
			pg_fatal("could not wait for a process: %m");
		if (process == 0)
			pg_usleep(100000);
		if (work->watch)
			work->watch();
		for (slot = process > 0 ? 0 : MAX_JOBS;
			 slot < MAX_JOBS && processes[slot] != process;)
			slot++;
	}
	processes[slot] = 0;
	failed |= status != 0;
	if (WIFSIGNALED(status) && !interrupted)
	{
		/* any other has said why it failed */
		pg_log_error("%s", wait_result_to_str(status));
		pg_log_error_hint("%s", resume_hint);
	}
	return !WIFEXITED(status) || WEXITSTATUS(status) != CANNOT_BEGIN;
}

/*
 * do_parallel - do all items in other processes, also in place of one that was killed, unless it
 * was before it could begin
 */
void
do_parallel(const Work *work)
{
	int			jobs = Min(work->jobs, count_open(work));
	int			running = 0;
	int			taken = 0;

	*next_item = 0;
	do
	{
		for (; running < jobs && is_waiting(work); running++)
			start_process(work);
		if (running > 0 && (!wait_for_process(work) || *next_item == taken))
			jobs--;
		taken = *next_item;
	} while (running-- > 0);
}
