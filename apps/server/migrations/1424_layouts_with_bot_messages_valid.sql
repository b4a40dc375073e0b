ALTER TABLE list_layout VALIDATE CONSTRAINT list_layout_list_check;
