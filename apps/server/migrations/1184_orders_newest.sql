-- The list of all orders, newest first, reads a page of it. The other indexes have orders of one place or one state.
CREATE INDEX CONCURRENTLY money_order_newest ON money_order (requested_at DESC, id DESC);
