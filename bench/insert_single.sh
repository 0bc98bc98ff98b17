# One row a transaction
# order: 60, kinds: key
in_turn 1 measure fill_table 0
in_turn "$rounds" insert_singly "single-row inserts" 2 client 0
sql -c "DROP SCHEMA filled CASCADE"
