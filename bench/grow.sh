# Costs by the number of rows; the largest number once only, because it takes hours
# order: 190, kinds: key
sql -c 'DROP SCHEMA IF EXISTS ordered, shuffled, bulk CASCADE'
in_turn "$rounds" measure grow_rows "$rows"
in_turn "$rounds" measure grow_rows $((10 * rows))
[ -z "$long" ] || in_turn 1 measure grow_rows $((100 * rows))
