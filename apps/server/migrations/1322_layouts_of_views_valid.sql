ALTER TABLE saved_view VALIDATE CONSTRAINT saved_view_layout_check;
