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
#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/clauses.h"
#include "optimizer/cost.h"
#include "optimizer/optimizer.h"
#include "optimizer/paths.h"
#include "optimizer/plancat.h"
#include "utils/lsyscache.h"
#include "utils/memutils.h"
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

/* the fraction of rows that satisfy the tightest bound of each end */
typedef struct Window
{
	double		lower;
	double		upper;
} Window;

/* instead of the fraction: an end without a bound */
#define NO_BOUND 2.0

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

	if (window->lower == NO_BOUND || window->upper == NO_BOUND)
		return Min(tightest, 1.0);

	/* nulls are in neither fraction */
	selec = window->lower + window->upper - 1.0;
	if (HeapTupleIsValid(vardata->statsTuple))
		selec += ((Form_pg_statistic) GETSTRUCT(vardata->statsTuple))->stanullfrac;

	/* nothing is known about a bound, or the bounds contradict each other */
	if (window->lower == DEFAULT_INEQ_SEL || window->upper == DEFAULT_INEQ_SEL || selec < -0.01)
		selec = Min(tightest, DEFAULT_RANGE_INEQ_SEL);

	return Max(selec, 0.0);
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
	bool		found;			/* was the condition found in the query? */
	List	   *list;			/* the AND list, or NIL if there is none */
	int			place;			/* the condition is the list's member of this
								 * number, from 1, or 0 if it is no member */
} Siblings;

/*
 * get_self - the member of the list that is the condition, or NULL
 */
static Node *
get_self(const Siblings *siblings)
{
	return siblings->place > 0 ? list_nth(siblings->list, siblings->place - 1) : NULL;
}

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
 * find_siblings - look for a condition in an AND list or the arguments of OR, NOT or IS
 *
 * Recognizes the condition by the address of its argument list or, if
 * "copied" is true, by equality.
 */
static Siblings
find_siblings(List *members, bool is_and, Oid operator, const List *args, bool copied)
{
	Siblings	result = {false, NIL, 0};
	ListCell   *lc;

	foreach(lc, members)
	{
		Node	   *node = get_clause(lfirst(lc));
		OpExpr	   *clause = (OpExpr *) node;

		if (IsA(node, BooleanTest))
			result = find_siblings(list_make1(((BooleanTest *) node)->arg), false,
								   operator, args, copied);
		else if (IsA(node, BoolExpr))
			result = find_siblings(((BoolExpr *) node)->args, is_andclause(node),
								   operator, args, copied);
		else if (IsA(clause, OpExpr) &&
				 (clause->args == args ||
				  (copied && clause->opno == operator && equal(clause->args, args))))
		{
			result.found = true;
			if (is_and)
			{
				result.list = members;
				result.place = foreach_current_index(lc) + 1;
			}
		}
		if (result.found)
			break;
	}

	return result;
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
	Siblings	result;
	ListCell   *lc;

	result = find_siblings(rel->baserestrictinfo, true, operator, args, false);
	if (!result.found)
		result = find_siblings(rel->joininfo, true, operator, args, false);
	if (!result.found)
		result = find_siblings((List *) root->parse->havingQual, true, operator, args, false);
	if (result.found)
		return result;

	foreach(lc, rel->indexlist)
	{
		IndexOptInfo *index = (IndexOptInfo *) lfirst(lc);

		result = find_siblings(index->indpred, true, operator, args, false);
		if (result.found && !has_key(index, column))
			return result;
	}

	result = find_siblings(rel->baserestrictinfo, true, operator, args, true);
	if (!result.found)
		result = find_siblings(rel->joininfo, true, operator, args, true);
	if (!result.found && is_index_condition)
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
 * The last estimated member of a list, and the window of its column up to it.
 * Core estimates the members in their order, so the next bound starts from
 * here.  If every bound started from the beginning of the list, the time for n
 * bounds would grow with n^2.
 *
 * The member is known by its address only, and a later RestrictInfo can have
 * the same address.  But core creates a RestrictInfo without a cached
 * selectivity, and caches one only after it has called objectid_ineqsel(),
 * which overwrites this variable.  So if the address is here and a selectivity
 * is cached, the window belongs to this RestrictInfo.
 *
 * If a later version of core broke this rule, an estimate could be wrong, never
 * a result: nothing is read through the pointer.
 */
static struct
{
	const Node *member;
	Window		window;
}			progress;

/*
 * is_progress - is this the last estimated member?  See above.
 */
static bool
is_progress(const Node *member)
{
	return member == progress.member && IsA(member, RestrictInfo) &&
		Max(((const RestrictInfo *) member)->norm_selec,
			((const RestrictInfo *) member)->outer_selec) >= 0;
}

/*
 * add_earlier_bounds - the bounds of a list before a condition, or all of them
 * if it is no member
 */
static void
add_earlier_bounds(PlannerInfo *root, VariableStatData *vardata, TypeCacheEntry *typentry,
				   const Siblings *siblings, const Node *column, Window *window)
{
	Node	   *self = get_self(siblings);
	int			end = self != NULL ? siblings->place - 1 : list_length(siblings->list);

	for (int i = end - 1; i >= 0; i--)
	{
		Node	   *member = list_nth(siblings->list, i);
		OpExpr	   *clause = (OpExpr *) get_clause(member);
		StrategyNumber strategy;
		Node	   *bound;

		if (!is_estimated_with(member, self) || !is_opclause(clause) ||
			!get_bound(clause->opno, clause->args, column, typentry, &strategy, &bound) ||
			!is_pseudo_constant_clause(bound))
			continue;

		if (is_progress(member))
		{
			window->lower = Min(window->lower, progress.window.lower);
			window->upper = Min(window->upper, progress.window.upper);
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
	return !siblings->found && strategy == BTLessEqualStrategyNumber && IsA(bound, FuncExpr) &&
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
 * A superuser can use these estimators for operators of any type.
 */
static TypeCacheEntry *
get_objectid_type(Oid type)
{
	TypeCacheEntry *typentry = lookup_type_cache(type, TYPECACHE_BTREE_OPFAMILY | TYPECACHE_LT_OPR |
												 TYPECACHE_CMP_PROC_FINFO);

	return typentry->cmp_proc_finfo.fn_addr == objectid_cmp ? typentry : NULL;
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

	if (!get_restriction_variable(root, args, varRelid,
								  &vardata, &estimated, &varonleft))
		PG_RETURN_FLOAT8(DEFAULT_INEQ_SEL);

	column = varonleft ? linitial(args) : lsecond(args);
	typentry = get_objectid_type(exprType(column));
	if (typentry != NULL && get_bound(operator, args, column, typentry, &strategy, &bound))
	{
		Siblings	siblings = {false, NIL, 0};
		Window		window = {NO_BOUND, NO_BOUND};
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

		progress.member = get_self(&siblings);
		progress.window = window;
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
		Window		window = {NO_BOUND, NO_BOUND};
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

			selec = restriction_selectivity(root, OID_RANGE_CONTAINS_ELEM_OP,
											list_make2(strip_implicit_coercions(column), constant),
											InvalidOid, 0);
		}
	}

	ReleaseVariableStats(vardata);

	PG_RETURN_FLOAT8(selec);
}
