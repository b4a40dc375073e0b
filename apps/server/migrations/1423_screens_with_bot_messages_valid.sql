ALTER TABLE saved_view VALIDATE CONSTRAINT saved_view_screen_check;
