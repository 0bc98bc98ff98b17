# One row a transaction, into an index larger than shared_buffers: the server must flush the
# WAL and write a page before it replaces the page
# order: 70, kinds: key
in_turn 1 measure fill_table "$large_rows"
restart_server "${settings[@]}" "${small_memory[@]}"
title="single-row inserts, index larger than shared_buffers"
in_turn "$rounds" insert_singly "$title, right after a checkpoint" 2 client "$large_rows"
warm_up=20 in_turn "$rounds" insert_singly "$title, 20 s later" 2 client "$large_rows"
sql -c "DROP SCHEMA filled CASCADE"
restart_server "${settings[@]}"
