ALTER TABLE export VALIDATE CONSTRAINT export_selected;
