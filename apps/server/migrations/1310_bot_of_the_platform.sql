-- The bot of the platform is that of the workers' environment. The version before still reads what a super admin stored.

COMMENT ON TABLE platform_bot IS 'Not used any more: TELEGRAM_BOT_TOKEN of the workers is the one way to give the bot. Goes with a later version.';
