/* forks.c - fork() while other threads use engines.
 *
 * The child has one thread. A lock that another thread of its parent held would stay held for ever,
 * and so would a count of readers in the slot of the snapshot. So all locks are taken before a
 * fork(), and released after it on both sides; in the child no reader is left, and its journals are
 * opened anew. */
#include "engine/forks.h"

#include "engine/record.h"
#include "machine/shelf.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* of the list */
static struct engine_link list = {&list, &list};

#define EACH_ENGINE(link) (struct engine_link *link = list.next; link != &list; link = link->next)

static warder_engine *engine_of(struct engine_link *link)
{
    return (warder_engine *)(void *)((char *)link - offsetof(warder_engine, link));
}

static void before_fork(void)
{
    pthread_mutex_lock(&lock);
    for
        EACH_ENGINE(link)
        {
            pthread_mutex_lock(&engine_of(link)->updating);
            shelf_hold(engine_of(link)->sessions);
            recorder_hold(engine_of(link)->recorder);
        }
}

static void let_go(void)
{
    for
        EACH_ENGINE(link)
        {
            recorder_let_go(engine_of(link)->recorder);
            shelf_let_go(engine_of(link)->sessions);
            pthread_mutex_unlock(&engine_of(link)->updating);
        }
    pthread_mutex_unlock(&lock);
}

static void in_child(void)
{
    for
        EACH_ENGINE(link)
        {
            snapshot_slot_alone(&engine_of(link)->slot);
            recorder_leave_journal(engine_of(link)->recorder);
        }
    let_go();
}

static void install(void)
{
    (void)pthread_atfork(before_fork, let_go, in_child);
}

void forks_join(warder_engine *e)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;

    pthread_once(&once, install);
    pthread_mutex_lock(&lock);
    e->link = (struct engine_link){list.next, &list};
    list.next->before = &e->link;
    list.next = &e->link;
    pthread_mutex_unlock(&lock);
}

void forks_leave(warder_engine *e)
{
    pthread_mutex_lock(&lock);
    e->link.next->before = e->link.before;
    e->link.before->next = e->link.next;
    pthread_mutex_unlock(&lock);
}
