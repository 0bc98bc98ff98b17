/*-------------------------------------------------------------------------
 *
 * objectid_selfuncs.c
 *	  Estimates for the planner: how many rows a comparison of ids, or a
 *	  period, selects.
 *
 * Core's estimators interpolate within a bin of the histogram only for types
 * that they know.  For other types they take the middle of the bin, so that a
 * window within one bin looks empty.  Also, core combines the two ends of a
 * window only if both use its own estimators.  The estimator below
 * interpolates and combines, and otherwise follows the rules of scalarltsel()
 * in selfuncs.c and of clauselist_selectivity() in clausesel.c.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "objectid.h"

#include "access/htup_details.h"
#include "access/nbtree.h"
#include "catalog/pg_operator.h"
#include "catalog/pg_statistic.h"
#include "catalog/pg_type.h"
#include "common/hashfn.h"
#include "miscadmin.h"
#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/clauses.h"
#include "optimizer/cost.h"
#include "optimizer/optimizer.h"
#include "optimizer/paths.h"
#include "optimizer/plancat.h"
#include "utils/lsyscache.h"
#include "utils/selfuncs.h"
#include "utils/timestamp.h"
#include "utils/typcache.h"

/*-------------------------------------------------------------------------
 * One bound: the fraction of rows below or above a constant
 *-------------------------------------------------------------------------
 */

/* the end that find_histogram_end() looks for, and its value */
typedef struct HistogramEnd
{
	bool		last;			/* the last value, or the first? */
	objectid_t	value;
} HistogramEnd;

/*
 * compare_to_find_end - a comparison that moves a binary search to one end
 *
 * Saves the value that it is called with.  The last call is for the end.
 */
static Datum
compare_to_find_end(PG_FUNCTION_ARGS)
{
	HistogramEnd *end = fcinfo->flinfo->fn_extra;

	end->value = *PG_GETARG_OBJECTID_P(0);

	PG_RETURN_BOOL(end->last);
}

/*
 * find_histogram_end - the actual first or last value of a column
 *
 * Core's get_actual_variable_range() reads it from an index, within a limit
 * of visited pages, but is static.  ineq_histogram_selectivity() calls it
 * before it compares with an end of the histogram, so call that function with
 * a comparison that leads there.
 *
 * Returns false if there is no such index, or the limit was reached.
 */
static bool
find_histogram_end(PlannerInfo *root, VariableStatData *vardata,
				   TypeCacheEntry *typentry, const FmgrInfo *opproc,
				   HistogramEnd *end)
{
	FmgrInfo	comparison = *opproc;
	double		selec;

	comparison.fn_addr = compare_to_find_end;
	comparison.fn_extra = end;
	selec = ineq_histogram_selectivity(root, vardata, typentry->lt_opr,
									   &comparison, false, false, InvalidOid,
									   ObjectidPGetDatum(&end->value),
									   typentry->type_id);

	/* core returns 0 or 1 only if it knows the actual end */
	return selec == (end->last ? 1.0 : 0.0);
}

/*
 * equal_selectivity - the fraction of the histogram that one value makes up
 */
static double
equal_selectivity(VariableStatData *vardata)
{
	bool		isdefault;
	double		distinct = get_variable_numdistinct(vardata, &isdefault);
	AttStatsSlot common;

	if (get_attstatsslot(&common, vardata->statsTuple, STATISTIC_KIND_MCV,
						 InvalidOid, ATTSTATSSLOT_NUMBERS))
	{
		distinct -= common.nnumbers;
		free_attstatsslot(&common);
	}

	return distinct > 1 ? 1.0 / distinct : 0.0;
}

/*
 * fraction_below - the fraction of the histogram below a value
 *
 * Includes equal values if "inclusive" is true.  Returns -1 if there is no
 * histogram.
 *
 * Does what ineq_histogram_selectivity() does for "<" and "<=", but
 * interpolates within a bin by the distance of ids, as numbers of 96 bits.
 */
static double
fraction_below(PlannerInfo *root, VariableStatData *vardata,
			   TypeCacheEntry *typentry, const FmgrInfo *opproc,
			   const objectid_t *value, bool inclusive)
{
	AttStatsSlot histogram;
	HistogramEnd first = {.last = false};
	HistogramEnd last = {.last = true};
	bool		actual = false;
	double		selec;
	double		cutoff;
	int			bins;
	int			start = 0;
	int			stop;

	if (!statistic_proc_security_check(vardata, opproc->fn_oid) ||
		!get_attstatsslot(&histogram, vardata->statsTuple,
						  STATISTIC_KIND_HISTOGRAM, typentry->lt_opr,
						  ATTSTATSSLOT_VALUES))
		return -1.0;

	if (histogram.nvalues < 2)
	{
		free_attstatsslot(&histogram);
		return -1.0;
	}
	bins = histogram.nvalues - 1;

	/*
	 * Find the first entry that is not below the value: the upper end of its
	 * bin.  If the search reaches an end of the histogram, use the actual
	 * end.
	 */
	stop = histogram.nvalues;
	while (start < stop)
	{
		int			middle = (start + stop) / 2;

		if (middle == 0 && find_histogram_end(root, vardata, typentry, opproc, &first))
		{
			histogram.values[0] = ObjectidPGetDatum(&first.value);
			actual = true;
		}
		if (middle == bins && find_histogram_end(root, vardata, typentry, opproc, &last))
		{
			histogram.values[bins] = ObjectidPGetDatum(&last.value);
			actual = true;
		}

		if (objectid_internal_cmp(DatumGetObjectidP(histogram.values[middle]), value) <
			(inclusive ? 1 : 0))
			start = middle + 1;
		else
			stop = middle;
	}

	if (stop == 0)
		selec = 0.0;
	else if (stop > bins)
		selec = 1.0;
	else
	{
		const objectid_t *low = DatumGetObjectidP(histogram.values[stop - 1]);
		const objectid_t *high = DatumGetObjectidP(histogram.values[stop]);
		double		within = objectid_internal_distance(low, value) /
		objectid_internal_distance(low, high);

		/*
		 * Each entry of the histogram is the greatest value of its bin, so
		 * the result includes equal values.  Only the first entry is the
		 * smallest value of its bin.
		 */
		selec = (stop - 1 + within) / bins;
		if (stop == 1)
			selec += equal_selectivity(vardata) * (1.0 - within);
		if (!inclusive)
			selec -= equal_selectivity(vardata);
	}

	/* statistics may be out of date: without the actual end, allow for that */
	cutoff = actual ? 0.0 : 0.01 / bins;
	selec = Min(Max(selec, cutoff), 1.0 - cutoff);

	free_attstatsslot(&histogram);

	return selec;
}

/*
 * bound_selectivity - the fraction of rows for which "column OP bound" is true
 *
 * Like scalarineqsel(): the most common values, the histogram for other
 * values, and no nulls.
 */
static double
bound_selectivity(PlannerInfo *root, VariableStatData *vardata,
				  TypeCacheEntry *typentry, StrategyNumber strategy, const Node *bound)
{
	const Const *constant = (const Const *) bound;
	Form_pg_statistic stats;
	const objectid_t *value;
	FmgrInfo	opproc;
	bool		inclusive;
	double		common;
	double		sum_common;
	double		selec;

	if (IsA(bound, Const) && constant->constisnull)
		return 0.0;
	if (!IsA(bound, Const) || !HeapTupleIsValid(vardata->statsTuple))
		return DEFAULT_INEQ_SEL;

	stats = (Form_pg_statistic) GETSTRUCT(vardata->statsTuple);
	value = DatumGetObjectidP(constant->constvalue);
	fmgr_info(get_opcode(get_opfamily_member(typentry->btree_opf, typentry->type_id,
											 typentry->type_id, strategy)),
			  &opproc);
	common = mcv_selectivity(vardata, &opproc, InvalidOid, constant->constvalue,
							 true, &sum_common);

	/* the last id of a second is the boundary of a period, and no value */
	inclusive = (strategy == BTLessEqualStrategyNumber || strategy == BTGreaterStrategyNumber) &&
		objectid_get_serial(value) != PG_UINT64_MAX;
	selec = fraction_below(root, vardata, typentry, &opproc, value, inclusive);
	if (selec < 0.0)
		selec = 0.5;
	else if (strategy >= BTGreaterEqualStrategyNumber)
		selec = 1.0 - selec;

	selec = selec * (1.0 - stats->stanullfrac - sum_common) + common;
	CLAMP_PROBABILITY(selec);

	return selec;
}

/*-------------------------------------------------------------------------
 * Several bounds of one column: windows
 *-------------------------------------------------------------------------
 */

/* the fraction of rows that satisfy the tightest bound of each end: without one, 1 */
typedef struct Window
{
	double		lower;
	double		upper;
} Window;

/*
 * add_bound - add "column OP bound" to a window
 */
static void
add_bound(PlannerInfo *root, VariableStatData *vardata, TypeCacheEntry *typentry,
		  Window *window, StrategyNumber strategy, const Node *bound)
{
	double	   *end = strategy <= BTLessEqualStrategyNumber ? &window->upper : &window->lower;
	double		selec = bound_selectivity(root, vardata, typentry, strategy, bound);

	*end = Min(*end, selec);
}

/*
 * window_selectivity - the fraction of rows in a window
 *
 * Follows the rules of clauselist_selectivity(), but is never more than the
 * fraction of one end: a further condition does not select more rows.
 */
static double
window_selectivity(const VariableStatData *vardata, const Window *window)
{
	double		tightest = Min(window->lower, window->upper);
	double		selec;

	if (window->lower == 1.0 || window->upper == 1.0)
		return tightest;

	/* nulls are in neither fraction */
	selec = window->lower + window->upper - 1.0;
	if (HeapTupleIsValid(vardata->statsTuple))
		selec += ((Form_pg_statistic) GETSTRUCT(vardata->statsTuple))->stanullfrac;

	/* nothing is known about a bound, or the bounds contradict each other */
	if (window->lower == DEFAULT_INEQ_SEL || window->upper == DEFAULT_INEQ_SEL || selec < -0.01)
		selec = Min(tightest, DEFAULT_RANGE_INEQ_SEL);

	CLAMP_PROBABILITY(selec);

	return selec;
}

/*-------------------------------------------------------------------------
 * Conditions that are estimated together
 *
 * Core multiplies the estimates for the conditions of an AND list.  To make
 * the product right, a bound is estimated for those rows only that satisfy
 * the earlier bounds of the list.
 *-------------------------------------------------------------------------
 */

/* where a condition occurs, and the conditions with which core multiplies its estimate */
typedef struct Siblings
{
	List	   *list;			/* the AND list, or NIL if there is none */
	Node	   *self;			/* the condition as a member of it, or NULL */
	int			place;			/* of this member */
	bool		is_derived;		/* derived by core, not found in the query? */
} Siblings;

/*
 * get_clause - the clause of a member of a list
 */
static Node *
get_clause(Node *member)
{
	RestrictInfo *rinfo = (RestrictInfo *) member;

	if (!IsA(member, RestrictInfo))
		return member;

	return (Node *) (rinfo->orclause ? rinfo->orclause : rinfo->clause);
}

/*
 * Where the last search ended: the place in the list, the place among the
 * arguments of this member, and so on.  Core estimates conditions in their order,
 * so the next search starts here, and n conditions do not take time n^2.  It can
 * be a place of an earlier query: then the search takes longer, and finds the same.
 */
#define MAX_DEPTH 64

static int	last_found[MAX_DEPTH];

/*
 * find_in_list - look for a condition in an AND list or the arguments of OR, NOT or IS
 *
 * Recognizes the condition by the address of its argument list or, if
 * "copied" is true, by equality.  Starts at last_found if "resume" is true, and
 * looks no deeper than MAX_DEPTH.
 */
static bool
find_in_list(Siblings *siblings, List *members, bool is_and, int depth, bool resume,
			 Oid operator, const List *args, bool copied)
{
	int			count = list_length(members);
	int			start = resume ? last_found[depth] : 0;

	for (int i = 0; i < count; i++)
	{
		int			place = (start + i) % count;
		Node	   *member = get_clause(list_nth(members, place));
		Node	   *node = member;
		OpExpr	   *clause;

		while (IsA(node, BooleanTest))
			node = (Node *) ((BooleanTest *) node)->arg;
		clause = (OpExpr *) node;

		if (IsA(clause, OpExpr) &&
			(clause->args == args ||
			 (copied && clause->opno == operator && equal(clause->args, args))))
		{
			siblings->is_derived = false;
			if (is_and && node == member)
			{
				siblings->list = members;
				siblings->self = list_nth(members, place);
				siblings->place = place;
			}
		}
		else if (!IsA(node, BoolExpr) || depth + 1 == MAX_DEPTH ||
				 !find_in_list(siblings, ((BoolExpr *) node)->args, is_andclause(node), depth + 1,
							   resume && i == 0, operator, args, copied))
			continue;

		last_found[depth] = place;
		return true;
	}

	return false;
}

/*
 * find_siblings - look for a condition in the AND lists of a relation
 */
static bool
find_siblings(Siblings *siblings, PlannerInfo *root, RelOptInfo *rel, Oid operator, const List *args,
			  bool copied)
{
	static int	last_list = 0;
	List	   *lists[] = {rel->baserestrictinfo, rel->joininfo, (List *) root->parse->havingQual};

	for (int i = 0; i < (int) lengthof(lists); i++)
	{
		int			n = (last_list + i) % (int) lengthof(lists);

		if (find_in_list(siblings, lists[n], true, 0, i == 0, operator, args, copied))
		{
			last_list = n;
			return true;
		}
	}

	return false;
}

/*
 * has_key - is this column a key of this index?
 */
static bool
has_key(IndexOptInfo *index, Node *column)
{
	for (int i = 0; i < index->nkeycolumns; i++)
		if (match_index_to_operand(column, i, index))
			return true;

	return false;
}

/*
 * get_siblings - the AND list of a condition on a relation
 *
 * Core estimates more conditions than those of the query:
 *
 * - Copies, for a child relation.  They are recognized by equality.
 *
 * - The predicate of a partial index, in place of the conditions that it implies.
 *   If the column is not a key of the index, core multiplies the estimates of
 *   the predicate only.  If it is a key, the relation's other conditions follow.
 *
 * - Conditions that it derives for an index, for instance from a row comparison.
 *   All conditions of the relation count as earlier than these.
 */
static Siblings
get_siblings(PlannerInfo *root, RelOptInfo *rel, Oid operator, const List *args,
			 Node *column, bool is_index_condition)
{
	Siblings	result = {NIL, NULL, 0, true};
	ListCell   *lc;

	foreach(lc, rel->indexlist)
	{
		IndexOptInfo *index = (IndexOptInfo *) lfirst(lc);

		if (index->indpred != NIL && !has_key(index, column) &&
			find_in_list(&result, index->indpred, true, 0, false, operator, args, false))
			return result;
	}

	if (!find_siblings(&result, root, rel, operator, args, false) &&
		!find_siblings(&result, root, rel, operator, args, true) && is_index_condition)
		result.list = rel->baserestrictinfo;

	return result;
}

/*
 * get_bound - split "column OP bound" or "bound OP column"
 *
 * Returns false for anything else.  *strategy is the operator's in the first
 * form.
 */
static bool
get_bound(Oid operator, const List *args, const Node *column, const TypeCacheEntry *typentry,
		  StrategyNumber *strategy, Node **bound)
{
	bool		varonleft;

	if (list_length(args) != 2)
		return false;

	varonleft = equal(linitial(args), column);
	if (!varonleft && !equal(lsecond(args), column))
		return false;

	*strategy = (StrategyNumber) get_op_opfamily_strategy(operator, typentry->btree_opf);
	if (*strategy == InvalidStrategy || *strategy == BTEqualStrategyNumber)
		return false;

	*bound = varonleft ? lsecond(args) : linitial(args);
	if (!varonleft)
		*strategy = BTCommuteStrategyNumber(*strategy);

	return true;
}

/*
 * is_estimated_with - does core estimate two members of a list together?
 *
 * Not if they belong to different joins.
 */
static bool
is_estimated_with(const Node *member, const Node *self)
{
	const RestrictInfo *a = (const RestrictInfo *) member;
	const RestrictInfo *b = (const RestrictInfo *) self;

	return self == NULL || !IsA(member, RestrictInfo) ||
		(a->is_pushed_down == b->is_pushed_down &&
		 bms_equal(a->required_relids, b->required_relids));
}

/*
 * Recently estimated members of lists, and the window of their column up to each
 * of them.  Core estimates the members in their order, so the next bound starts
 * from here, and n bounds do not take time n^2.
 *
 * A member is known by its address only, and a later node can have the same
 * address.  But for a later member of a list, core has called objectid_ineqsel()
 * for the earlier ones, which overwrites the entry, or has cached the selectivity
 * of a RestrictInfo after such a call.  Nothing is read through the pointer.
 */
#define PROGRESS_COUNT 64

static struct Progress
{
	const Node *member;
	Window		window;
}			progress[PROGRESS_COUNT];

/*
 * get_progress - the entry for a member of a list
 */
static struct Progress *
get_progress(const Node *member)
{
	return &progress[murmurhash32((uint32) (uintptr_t) member) % PROGRESS_COUNT];
}

/*
 * add_earlier_bounds - the bounds of a list before a condition, or all of them
 * if it is no member
 */
static void
add_earlier_bounds(PlannerInfo *root, VariableStatData *vardata, TypeCacheEntry *typentry,
				   const Siblings *siblings, const Node *column, Window *window)
{
	int			end = siblings->self != NULL ? siblings->place : list_length(siblings->list);

	for (int i = end - 1; i >= 0; i--)
	{
		Node	   *member = list_nth(siblings->list, i);
		const RestrictInfo *rinfo = (const RestrictInfo *) member;
		const struct Progress *reached = get_progress(member);
		OpExpr	   *clause = (OpExpr *) get_clause(member);
		StrategyNumber strategy;
		Node	   *bound;

		if (!is_estimated_with(member, siblings->self) || !is_opclause(clause) ||
			!get_bound(clause->opno, clause->args, column, typentry, &strategy, &bound) ||
			!is_pseudo_constant_clause(bound))
			continue;

		if (reached->member == member &&
			(!IsA(member, RestrictInfo) || rinfo->norm_selec >= 0 || rinfo->outer_selec >= 0))
		{
			window->lower = Min(window->lower, reached->window.lower);
			window->upper = Min(window->upper, reached->window.upper);
			break;
		}
		add_bound(root, vardata, typentry, window, strategy, estimate_expression_value(root, bound));
	}
}

/*
 * get_estimated_bounds - the first and the last id of a period, as constants
 *
 * If the period is null or not a constant, it stands for its bounds: null or
 * unknown, too.
 */
static void
get_estimated_bounds(Oid type, Node *period, Node **first, Node **last)
{
	*first = *last = period;
	if (IsA(period, Const) && !((Const *) period)->constisnull)
		objectid_make_period_bounds(type, (Const *) period, first, last);
}

/*
 * is_last_of_period - is this "id <= objectid_last_in(period)", of an index?
 *
 * Then the index condition before it is "id >= objectid_first_in(period)".
 */
static bool
is_last_of_period(const Siblings *siblings, StrategyNumber strategy, const Node *bound)
{
	return siblings->is_derived && strategy == BTLessEqualStrategyNumber && IsA(bound, FuncExpr) &&
		list_length(((const FuncExpr *) bound)->args) == 1 &&
		exprType(linitial(((const FuncExpr *) bound)->args)) == TSTZRANGEOID;
}

/*-------------------------------------------------------------------------
 * The estimators
 *-------------------------------------------------------------------------
 */

/*
 * get_objectid_type - the entry of the type cache, or NULL for another type
 *
 * Anyone can use these estimators for operators of any type.  The entry for a
 * domain is that of its base type, because the operator family has no domains.
 */
static TypeCacheEntry *
get_objectid_type(Oid type)
{
	const int	flags = TYPECACHE_BTREE_OPFAMILY | TYPECACHE_LT_OPR | TYPECACHE_CMP_PROC_FINFO;
	TypeCacheEntry *typentry = lookup_type_cache(type, flags);

	if (typentry->cmp_proc_finfo.fn_addr != objectid_cmp)
		return NULL;

	return typentry->typtype == TYPTYPE_DOMAIN ? lookup_type_cache(getBaseType(type), flags) : typentry;
}

/*
 * objectid_ineqsel - restriction selectivity of "<", "<=", ">=", ">"
 */
PG_FUNCTION_INFO_V1(objectid_ineqsel);
Datum
objectid_ineqsel(PG_FUNCTION_ARGS)
{
	PlannerInfo *root = (PlannerInfo *) PG_GETARG_POINTER(0);
	Oid			operator = PG_GETARG_OID(1);
	List	   *args = (List *) PG_GETARG_POINTER(2);
	int			varRelid = PG_GETARG_INT32(3);
	VariableStatData vardata;
	Node	   *estimated;
	bool		varonleft;
	Node	   *column;
	TypeCacheEntry *typentry;
	StrategyNumber strategy;
	Node	   *bound;
	double		selec = DEFAULT_INEQ_SEL;

	CHECK_FOR_INTERRUPTS();

	if (!get_restriction_variable(root, args, varRelid,
								  &vardata, &estimated, &varonleft))
		PG_RETURN_FLOAT8(DEFAULT_INEQ_SEL);

	column = varonleft ? linitial(args) : lsecond(args);
	typentry = get_objectid_type(exprType(column));
	if (typentry != NULL && get_bound(operator, args, column, typentry, &strategy, &bound))
	{
		Siblings	siblings = {NIL, NULL, 0, true};
		Window		window = {1.0, 1.0};
		double		earlier;

		/* the window up to this bound; core does not combine others either */
		if (is_pseudo_constant_clause(bound))
			siblings = get_siblings(root, vardata.rel, operator, args, column, varRelid != 0);
		add_earlier_bounds(root, &vardata, typentry, &siblings, column, &window);
		if (is_last_of_period(&siblings, strategy, bound))
		{
			Node	   *period = linitial(((FuncExpr *) bound)->args);
			Node	   *first;
			Node	   *last;

			get_estimated_bounds(typentry->type_id, estimate_expression_value(root, period),
								 &first, &last);
			add_bound(root, &vardata, typentry, &window, BTGreaterEqualStrategyNumber, first);
		}

		earlier = window_selectivity(&vardata, &window);
		add_bound(root, &vardata, typentry, &window, strategy, estimated);
		selec = window_selectivity(&vardata, &window);
		selec = selec < earlier ? selec / earlier : 1.0;

		get_progress(siblings.self)->member = siblings.self;
		get_progress(siblings.self)->window = window;
	}

	ReleaseVariableStats(vardata);

	PG_RETURN_FLOAT8(selec);
}

/*
 * objectid_periodsel - restriction selectivity of "id <@ period", "period @> id"
 */
PG_FUNCTION_INFO_V1(objectid_periodsel);
Datum
objectid_periodsel(PG_FUNCTION_ARGS)
{
	PlannerInfo *root = (PlannerInfo *) PG_GETARG_POINTER(0);
	List	   *args = (List *) PG_GETARG_POINTER(2);
	VariableStatData vardata;
	Node	   *other;
	bool		varonleft;
	Node	   *column;
	TypeCacheEntry *typentry;
	double		selec = DEFAULT_RANGE_INEQ_SEL;

	/*
	 * varRelid does not matter: nothing is known about a column of a
	 * different table
	 */
	if (!get_restriction_variable(root, args, 0, &vardata, &other, &varonleft))
		PG_RETURN_FLOAT8(DEFAULT_RANGE_INEQ_SEL);

	column = varonleft ? linitial(args) : lsecond(args);
	typentry = get_objectid_type(exprType(column));
	if (typentry != NULL && getBaseType(exprType(other)) == TSTZRANGEOID)
	{
		Window		window = {1.0, 1.0};
		Node	   *first;
		Node	   *last;

		get_estimated_bounds(typentry->type_id, other, &first, &last);
		add_bound(root, &vardata, typentry, &window, BTGreaterEqualStrategyNumber, first);
		add_bound(root, &vardata, typentry, &window, BTLessEqualStrategyNumber, last);
		selec = window_selectivity(&vardata, &window);
	}
	else if (getBaseType(exprType(column)) == TSTZRANGEOID &&
			 get_objectid_type(exprType(other)) != NULL && IsA(other, Const))
	{
		/* as core estimates "period @> instant" */
		const Const *id = (const Const *) other;

		if (id->constisnull)
			selec = 0.0;
		else
		{
			TimestampTz instant = objectid_get_timestamptz(DatumGetObjectidP(id->constvalue));
			Const	   *constant = makeConst(TIMESTAMPTZOID, -1, InvalidOid, sizeof(TimestampTz),
											 TimestampTzGetDatum(instant), false, FLOAT8PASSBYVAL);

			/* core knows the ranges of tstzrange itself only, not of domains */
			column = applyRelabelType(column, TSTZRANGEOID, -1, InvalidOid,
									  COERCE_IMPLICIT_CAST, -1, false);
			selec = restriction_selectivity(root, OID_RANGE_CONTAINS_ELEM_OP,
											list_make2(column, constant), InvalidOid, 0);
		}
	}

	ReleaseVariableStats(vardata);

	PG_RETURN_FLOAT8(selec);
}
