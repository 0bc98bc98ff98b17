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
#include "miscadmin.h"
#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/clauses.h"
#include "optimizer/optimizer.h"
#include "optimizer/paths.h"
#include "optimizer/plancat.h"
#include "utils/lsyscache.h"
#include "utils/selfuncs.h"
#include "utils/timestamp.h"
#include "utils/typcache.h"

/*-------------------------------------------------------------------------
 * Constants: the fraction of rows below or above one, or between two
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
	HistogramEnd ends[] = {{.last = false}, {.last = true}};
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

		if ((middle == 0 || middle == bins) &&
			find_histogram_end(root, vardata, typentry, opproc, &ends[middle == bins]))
		{
			histogram.values[middle] = ObjectidPGetDatum(&ends[middle == bins].value);
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

	selec *= 1.0 - ((Form_pg_statistic) GETSTRUCT(vardata->statsTuple))->stanullfrac - sum_common;
	selec += common;
	CLAMP_PROBABILITY(selec);

	return selec;
}

/* a column, and the fraction of rows that satisfy the tightest bound of each end: without one, 1 */
typedef struct Window
{
	PlannerInfo *root;
	VariableStatData *vardata;
	TypeCacheEntry *typentry;
	double		lower;
	double		upper;
} Window;

/*
 * add_bound - add "column OP bound" to a window
 */
static void
add_bound(Window *window, StrategyNumber strategy, Node *bound)
{
	double	   *end = strategy <= BTLessEqualStrategyNumber ? &window->upper : &window->lower;
	double		selec = bound_selectivity(window->root, window->vardata, window->typentry, strategy,
										  estimate_expression_value(window->root, bound));

	*end = Min(*end, selec);
}

/*
 * add_period - add the bounds of a period to a window
 *
 * If the period is null or not a constant, it stands for its bounds: null or
 * unknown, too.
 */
static void
add_period(Window *window, Node *period)
{
	Node	   *first;
	Node	   *last;

	first = last = period = estimate_expression_value(window->root, period);
	if (IsA(period, Const) && !((Const *) period)->constisnull)
		objectid_make_period_bounds(window->typentry->type_id, (Const *) period, &first, &last);
	add_bound(window, BTGreaterEqualStrategyNumber, first);
	add_bound(window, BTLessEqualStrategyNumber, last);
}

/*
 * window_selectivity - the fraction of rows in a window
 *
 * Follows the rules of clauselist_selectivity(), but is never more than the
 * fraction of one end: a further condition does not select more rows.
 */
static double
window_selectivity(const Window *window)
{
	HeapTuple	stats = window->vardata->statsTuple;
	double		tightest = Min(window->lower, window->upper);
	double		selec;

	if (window->lower == 1.0 || window->upper == 1.0)
		return tightest;

	/* nulls are in neither fraction */
	selec = window->lower + window->upper - 1.0;
	if (HeapTupleIsValid(stats))
		selec += ((Form_pg_statistic) GETSTRUCT(stats))->stanullfrac;

	/* nothing is known about a bound, or the bounds contradict each other */
	if (window->lower == DEFAULT_INEQ_SEL || window->upper == DEFAULT_INEQ_SEL || selec < -0.01)
		selec = Min(tightest, DEFAULT_RANGE_INEQ_SEL);

	CLAMP_PROBABILITY(selec);

	return selec;
}

/*-------------------------------------------------------------------------
 * Conditions that are estimated together
 *
 * Core multiplies the estimates of the conditions of an AND list.  To make the
 * product right, the first bound of a column in the list has the estimate of the
 * whole window, and the others have 1.
 *-------------------------------------------------------------------------
 */

/* a condition as a member of an AND list */
typedef struct Place
{
	List	   *list;			/* NIL: it is in none */
	int			index;			/* -1: it is beside all of them */
} Place;

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
 * is_estimated - has core cached the estimate of a member, or of its last part?
 *
 * Looks no deeper than a few levels, because conditions can nest deeply.
 */
static bool
is_estimated(Node *member)
{
	for (int depth = 0; depth < 8 && IsA(member, BoolExpr); depth++)
		member = llast(((BoolExpr *) member)->args);

	return IsA(member, RestrictInfo) &&
		(((RestrictInfo *) member)->norm_selec >= 0 || ((RestrictInfo *) member)->outer_selec >= 0);
}

/*
 * is_condition - is this clause the condition that core wants an estimate for?
 *
 * It is known by the address of its arguments, or by equality if "copied" is true.
 * For the first columns of two rows and for the members of "column OP ANY (array)",
 * core makes conditions of its own, of an array's from a copy of the column.  So such
 * a clause is known by equality if it is the next one without an estimate.
 */
static bool
is_condition(const Node *clause, bool is_next, Oid operator, const List *args, bool copied)
{
	const OpExpr *op = (const OpExpr *) clause;
	const ScalarArrayOpExpr *any = (const ScalarArrayOpExpr *) clause;

	if (IsA(clause, OpExpr))
		return op->args == args || (copied && op->opno == operator && equal(op->args, args));
	if (IsA(clause, ScalarArrayOpExpr))
		return is_next && any->opno == operator && equal(linitial(any->args), linitial(args));
	if (IsA(clause, RowCompareExpr))
		return linitial(((const RowCompareExpr *) clause)->largs) == linitial(args);

	return false;
}

/*
 * find_condition - look for a condition in an AND list or the arguments of OR, NOT or IS
 *
 * Core estimates conditions in their order, so start at the next one without an
 * estimate.  Then n conditions do not take time n^2.  If it is not there, look at all.
 */
static bool
find_condition(Place *place, List *members, bool is_and, bool is_next,
			   Oid operator, const List *args, bool copied)
{
	int			count = list_length(members);
	int			start = 0;
	int			stop = count;

	check_stack_depth();

	while (start < stop)
	{
		int			middle = (start + stop) / 2;

		if (is_estimated(list_nth(members, middle)))
			start = middle + 1;
		else
			stop = middle;
	}

	for (int i = 0; i < count; i++)
	{
		int			index = (start + i) % count;
		Node	   *member = get_clause(list_nth(members, index));
		Node	   *clause = member;

		is_next &= i == 0 && start < count;
		while (IsA(clause, BooleanTest))
			clause = (Node *) ((BooleanTest *) clause)->arg;

		if (is_condition(clause, is_next, operator, args, copied))
		{
			if (is_and && IsA(member, OpExpr))
			{
				place->list = members;
				place->index = index;
			}
			return true;
		}
		if (IsA(clause, BoolExpr) &&
			find_condition(place, ((BoolExpr *) clause)->args, is_andclause(clause), is_next,
						   operator, args, copied))
			return true;
	}

	return false;
}

/*
 * find_place - the AND list of a condition
 *
 * For a child relation, core copies the conditions of outer joins.  The predicate of an
 * index stands for the conditions that it implies.  If the column is not a key of the
 * index, core multiplies the estimates of the predicate only.  If it is a key, the other
 * conditions of the query follow.
 */
static Place
find_place(PlannerInfo *root, RelOptInfo *rel, Node *column, Oid operator, const List *args, bool of_index)
{
	List	   *lists[] = {rel->baserestrictinfo, rel->joininfo, (List *) root->parse->havingQual};
	Place		place = {NIL, -1};
	ListCell   *lc;

	/* the last one has its estimate, so all have */
	if (of_index && lists[0] != NIL && is_estimated(llast(lists[0])))
		lists[0] = NIL;
	for (int i = 0; i < (int) lengthof(lists); i++)
		if (find_condition(&place, lists[i], true, true, operator, args, false) ||
			(i == 1 && IS_OTHER_REL(rel) &&
			 find_condition(&place, lists[i], true, false, operator, args, true)))
			return place;

	foreach(lc, of_index ? rel->indexlist : NIL)
	{
		IndexOptInfo *index = (IndexOptInfo *) lfirst(lc);
		bool		is_key = false;

		if (!find_condition(&place, index->indpred, true, false, operator, args, false))
			continue;
		for (int i = 0; i < index->nkeycolumns; i++)
			is_key |= match_index_to_operand(column, i, index);
		if (is_key && !(find_condition(&place, rel->baserestrictinfo, true, false, operator, args, true) &&
						place.list == rel->baserestrictinfo))
		{
			place.list = NIL;
			place.index = -1;
		}
		break;
	}

	if (of_index && place.list == NIL)
		place.list = rel->baserestrictinfo;

	return place;
}

/*
 * get_bound - split "column OP bound" or "bound OP column"
 *
 * Returns false for anything else.  *strategy is for the first form.
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
 * get_member_bound - the same for a member of a list
 *
 * Returns false if core does not estimate it together with the condition at the place.
 */
static bool
get_member_bound(const Place *place, int index, const Node *column, const TypeCacheEntry *typentry,
				 StrategyNumber *strategy, Node **bound)
{
	const RestrictInfo *member = list_nth(place->list, index);
	const RestrictInfo *self = place->index >= 0 ? list_nth(place->list, place->index) : member;
	const OpExpr *clause = (const OpExpr *) get_clause((Node *) member);

	if (IsA(member, RestrictInfo) &&
		(member->is_pushed_down != self->is_pushed_down ||
		 !bms_equal(member->required_relids, self->required_relids)))
		return false;

	return is_opclause(clause) &&
		get_bound(clause->opno, clause->args, column, typentry, strategy, bound) &&
		is_pseudo_constant_clause(*bound);
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
 *
 * With varRelid, core estimates the conditions of a path through an index.  If all of
 * the query have estimates, this is one of the index's predicate, or one that core has
 * derived, as from a row comparison.  It is estimated for the rows that satisfy the
 * relation's own bounds.  postgres_fdw passes varRelid, too.
 */
PG_FUNCTION_INFO_V1(objectid_ineqsel);
Datum
objectid_ineqsel(PG_FUNCTION_ARGS)
{
	PlannerInfo *root = (PlannerInfo *) PG_GETARG_POINTER(0);
	Oid			operator = PG_GETARG_OID(1);
	List	   *args = (List *) PG_GETARG_POINTER(2);
	int			varRelid = PG_GETARG_INT32(3);
	Node	   *column = linitial(args);
	VariableStatData vardata;
	TypeCacheEntry *typentry;
	StrategyNumber strategy;
	Node	   *bound;
	double		selec = DEFAULT_INEQ_SEL;

	CHECK_FOR_INTERRUPTS();

	examine_variable(root, column, varRelid, &vardata);
	if (vardata.rel == NULL && list_length(args) == 2)
	{
		ReleaseVariableStats(vardata);
		column = lsecond(args);
		examine_variable(root, column, varRelid, &vardata);
	}
	typentry = get_objectid_type(exprType(column));

	if (vardata.rel != NULL && typentry != NULL &&
		get_bound(operator, args, column, typentry, &strategy, &bound))
	{
		/* of an index: objectid_first_in(period) or objectid_last_in(period) */
		List	   *call = varRelid != 0 && IsA(bound, FuncExpr) ? ((FuncExpr *) bound)->args : NIL;
		Node	   *period = list_length(call) == 1 && exprType(linitial(call)) == TSTZRANGEOID ? linitial(call) : NULL;
		Window		window = {root, &vardata, typentry, 1.0, 1.0};
		Place		place = {NIL, -1};
		StrategyNumber other_strategy;
		Node	   *other;
		double		others = 1.0;
		bool		is_first = period == NULL || strategy == BTGreaterEqualStrategyNumber;

		/* core does not combine other bounds either */
		if (period == NULL && is_pseudo_constant_clause(bound))
			place = find_place(root, vardata.rel, column, operator, args, varRelid != 0);

		/* look backwards: the nearest one is usually next to it */
		for (int i = place.index - 1; is_first && i >= 0; i--)
			is_first = !get_member_bound(&place, i, column, typentry, &other_strategy, &other);
		for (int i = place.index + 1; is_first && i < list_length(place.list); i++)
			if (get_member_bound(&place, i, column, typentry, &other_strategy, &other))
				add_bound(&window, other_strategy, other);
		if (place.index < 0)
			others = window_selectivity(&window);

		if (is_first && period != NULL)
			add_period(&window, period);
		else if (is_first)
			add_bound(&window, strategy, bound);
		selec = window_selectivity(&window);
		selec = selec < others ? selec / others : 1.0;
	}

	ReleaseVariableStats(vardata);

	PG_RETURN_FLOAT8(selec);
}

/*
 * objectid_periodsel - restriction selectivity of "id <@ period"
 *
 * varRelid does not matter: nothing is known about a column of a different table.
 */
PG_FUNCTION_INFO_V1(objectid_periodsel);
Datum
objectid_periodsel(PG_FUNCTION_ARGS)
{
	PlannerInfo *root = (PlannerInfo *) PG_GETARG_POINTER(0);
	List	   *args = (List *) PG_GETARG_POINTER(2);
	VariableStatData vardata;
	Node	   *other;
	bool		id_is_column;
	TypeCacheEntry *typentry;
	double		selec = DEFAULT_RANGE_INEQ_SEL;

	if (!get_restriction_variable(root, args, 0, &vardata, &other, &id_is_column))
		PG_RETURN_FLOAT8(DEFAULT_RANGE_INEQ_SEL);

	typentry = get_objectid_type(exprType(linitial(args)));
	if (typentry == NULL || getBaseType(exprType(lsecond(args))) != TSTZRANGEOID)
		;						/* an operator that someone else has created */
	else if (id_is_column)
	{
		Window		window = {root, &vardata, typentry, 1.0, 1.0};

		add_period(&window, other);
		selec = window_selectivity(&window);
	}
	else if (IsA(other, Const) && ((Const *) other)->constisnull)
		selec = 0.0;
	else if (IsA(other, Const))
	{
		/* as core estimates "period @> instant" */
		TimestampTz instant = objectid_get_timestamptz(DatumGetObjectidP(((Const *) other)->constvalue));
		Const	   *constant = makeConst(TIMESTAMPTZOID, -1, InvalidOid, sizeof(TimestampTz),
										 TimestampTzGetDatum(instant), false, FLOAT8PASSBYVAL);
		Node	   *period = applyRelabelType(lsecond(args), TSTZRANGEOID, -1, InvalidOid,
											  COERCE_IMPLICIT_CAST, -1, false);

		selec = restriction_selectivity(root, OID_RANGE_CONTAINS_ELEM_OP,
										list_make2(period, constant), InvalidOid, 0);
	}

	ReleaseVariableStats(vardata);

	PG_RETURN_FLOAT8(selec);
}
