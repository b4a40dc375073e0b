ALTER TABLE saved_view VALIDATE CONSTRAINT saved_view_screen_check;
ALTER TABLE saved_view VALIDATE CONSTRAINT saved_view_layout_check;
ALTER TABLE saved_view VALIDATE CONSTRAINT saved_view_shared_check;
