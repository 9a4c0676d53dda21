//! Tests of the settings of a server.

use super::*;

fn combined(given: &ServeOptions, variables: &[(&str, &str)]) -> anyhow::Result<ServeSettings> {
    let owned = |(name, value): &(&str, &str)| ((*name).to_owned(), (*value).to_owned());
    given.combine(&Environment(variables.iter().map(owned).collect()))
}

fn error(given: &ServeOptions, variables: &[(&str, &str)]) -> String {
    format!("{:#}", combined(given, variables).unwrap_err())
}

const HOME: (&str, &str) = ("HOME", "/home/ada");

#[test]
fn without_settings_the_defaults_apply() {
    let settings = combined(&ServeOptions::default(), &[HOME]).unwrap();
    assert_eq!(settings.listen.to_string(), "127.0.0.1:4000");
    let folder = PathBuf::from("/home/ada/.local/share/cats-cradle");
    assert_eq!(settings.journal, JournalKind::Sqlite(folder));
    assert_eq!((settings.tls, settings.log.as_str()), (None, "info"));
    assert_eq!((settings.admin, settings.log_format), (None, LogFormat::Text));
    assert_eq!(settings.config.limits, Limits::default());
    assert!(error(&ServeOptions::default(), &[]).contains("--data"), "there is no home");
}

#[test]
fn flags_override_the_environment_and_that_overrides_the_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("cradle.toml");
    let text = "listen = \"127.0.0.1:1\"\njournal = \"memory\"\nlog = \"error\"\n\
                origins = [\"https://a.example\"]\nbehind_proxy = true\n\
                [limits]\noutbox = 1\nconnections = 1\ntable_idle = 1\n";
    std::fs::write(&path, text).unwrap();
    let config = path.to_str().unwrap();
    let given = ServeOptions {
        listen: Some("127.0.0.1:3".to_owned()),
        limits: vec!["table_idle=3".to_owned()],
        ..ServeOptions::default()
    };
    let variables = [
        ("CRADLE_CONFIG", config),
        ("CRADLE_LISTEN", "127.0.0.1:2"),
        ("CRADLE_LOG", "warn"),
        ("CRADLE_LIMIT_CONNECTIONS", "2"),
        ("CRADLE_LIMIT_TABLE_IDLE", "2"),
    ];
    let settings = combined(&given, &variables).unwrap();
    assert_eq!(settings.listen.port(), 3);
    assert_eq!(settings.log, "warn");
    assert_eq!(settings.journal, JournalKind::Memory);
    assert_eq!(settings.config.origins, ["https://a.example"]);
    assert!(settings.config.is_behind_proxy);
    let limits = &settings.config.limits;
    assert_eq!((limits.outbox, limits.connections, limits.table_idle), (1, 2, 3));
}

#[test]
fn a_cluster_is_reached_as_is_said() {
    let given =
        ServeOptions { journal: Some("nats://a:4222,b".to_owned()), ..ServeOptions::default() };
    let nats = |variables: &[(&str, &str)]| match combined(&given, variables)?.journal {
        JournalKind::Nats(settings) => Ok(*settings),
        other => bail!("{other}"),
    };
    let settings = nats(&[]).unwrap();
    assert_eq!(settings, NatsSettings::new("nats://a:4222,b".parse().unwrap()));
    let variables = [
        ("CRADLE_NATS_CREDENTIALS", "/etc/creds"),
        ("CRADLE_NATS_MONITORS", "a:8222, http://b:8222/"),
        ("CRADLE_NATS_REPLICAS", "5"),
        ("CRADLE_NATS_PREFIX", "play"),
        ("CRADLE_NATS_HOLD", "tied, left"),
    ];
    let settings = nats(&variables).unwrap();
    assert_eq!(settings.credentials, Some("/etc/creds".into()));
    assert_eq!(settings.monitors, ["a:8222", "b:8222"]);
    assert_eq!(settings.held_kinds, ["tied", "left"]);
    assert_eq!((settings.replicas, settings.prefix.as_str()), (5, "play"));
    for (name, value, expected) in [
        ("CRADLE_NATS_REPLICAS", "2", "write 3 or 5"),
        ("CRADLE_NATS_REPLICAS", "x", "is not a number"),
        ("CRADLE_NATS_PREFIX", "a.b", "letters, digits and hyphens"),
        ("CRADLE_NATS_KEY", "key", "give both or neither"),
        ("CRADLE_NATS_MONITORS", "a", "as in 10.0.0.1:8222"),
        ("CRADLE_NATS_HOLD", "tie", "no entries of the kind \"tie\", but created, joined"),
    ] {
        let message = format!("{:#}", nats(&[(name, value)]).unwrap_err());
        assert!(message.contains(expected), "{message}");
    }
}

#[test]
fn the_admin_token_is_beside_the_journal() {
    let given = ServeOptions {
        admin: Some("127.0.0.1:4001".to_owned()),
        data: Some("/srv/cradle".into()),
        ..ServeOptions::default()
    };
    let token_file =
        |variables: &[(&str, &str)]| combined(&given, variables).unwrap().admin.unwrap().token_file;
    assert_eq!(token_file(&[]), PathBuf::from("/srv/cradle/admin-token"));
    let named = [("CRADLE_ADMIN_TOKEN_FILE", "/run/token")];
    assert_eq!(token_file(&named), PathBuf::from("/run/token"));
}

#[test]
fn a_refused_setting_says_what_to_write() {
    let given = |change: fn(&mut ServeOptions)| {
        let mut given =
            ServeOptions { journal: Some("memory".to_owned()), ..ServeOptions::default() };
        change(&mut given);
        given
    };
    let check = |change: fn(&mut ServeOptions), variables: &[(&str, &str)], expected: &str| {
        let message = error(&given(change), variables);
        assert!(message.contains(expected), "{message}");
    };
    check(|given| given.listen = Some("here".to_owned()), &[], "as in 127.0.0.1:4000");
    check(|given| given.journal = Some("paper".to_owned()), &[], "write sqlite or memory");
    check(|given| given.journal = Some("nats://".to_owned()), &[], "as in nats://10.0.0.1");
    check(|given| given.tls_key = Some("key".into()), &[], "give both or neither");
    check(|given| given.admin = Some("4001".to_owned()), &[], "--admin-token-file");
    let token = [("CRADLE_ADMIN_TOKEN_FILE", "token")];
    check(|given| given.admin = Some("4001".to_owned()), &token, "\"4001\" is not an address");
    check(|_| {}, &token, "name one with --admin");
    check(|given| given.limits = vec!["outbox".to_owned()], &[], "frame_bytes=8192");
    check(|given| given.limits = vec!["outbox=x".to_owned()], &[], "has no number");
    check(|given| given.limits = vec!["outbox=0".to_owned()], &[], "choose at least 1");
    check(|_| {}, &[("CRADLE_LIMIT_OUTBOX", "0")], "the limit outbox is 0");
    check(|given| given.limits = vec!["patience=1".to_owned()], &[], "lists the limits");
    check(|given| given.config = Some("nowhere.toml".into()), &[], "cannot be read");
    check(|_| {}, &[("CRADLE_LIMIT_OUTBOX", "x")], "is not a number");
    check(|given| given.log = Some("loud".to_owned()), &[], "info, debug or trace");
    check(|_| {}, &[("CRADLE_LOG", "")], "info, debug or trace");
    check(|given| given.log_format = Some("xml".to_owned()), &[], "write text or json");
    for origin in ["play.example", "https://", "https://play.example/", "wss://play.example"] {
        let variables = [("CRADLE_ORIGINS", origin)];
        check(|_| {}, &variables, "as in https://play.example");
    }
}

#[test]
fn tables_are_kept_for_as_long_as_is_said() {
    let keep = |flag: Option<&str>, variables: &[(&str, &str)]| {
        let given = ServeOptions { keep: flag.map(str::to_owned), ..ServeOptions::default() };
        combined(&given, &[&[HOME], variables].concat()).map(|settings| settings.config.keep)
    };
    assert_eq!(keep(None, &[]).unwrap(), None);
    assert_eq!(keep(Some("90d"), &[]).unwrap(), Some(Duration::from_hours(90 * 24)));
    let (day, variable) = (Duration::from_hours(24), ("CRADLE_KEEP", "1d"));
    assert_eq!(keep(None, &[variable]).unwrap(), Some(day));
    assert_eq!(keep(Some("60m"), &[variable]).unwrap(), Some(LEAST_KEEP));
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("cradle.toml");
    std::fs::write(&path, "keep = \"48h\"\n").unwrap();
    let config = ("CRADLE_CONFIG", path.to_str().unwrap());
    assert_eq!(keep(None, &[config]).unwrap(), Some(2 * day));
    assert_eq!(keep(None, &[config, variable]).unwrap(), Some(day));
    for (given, expected) in [("59m", "at least an hour"), ("90", "as in 90d, 36h or 90m")] {
        let message = format!("{:#}", keep(Some(given), &[]).unwrap_err());
        assert!(message.contains(expected), "{message}");
    }
}

#[test]
fn an_unknown_variable_is_refused_with_the_nearest_known_one() {
    let given = ServeOptions { journal: Some("memory".to_owned()), ..ServeOptions::default() };
    for (name, near) in [
        ("CRADLE_LIMIT_OUTBOKS", "CRADLE_LIMIT_OUTBOX"),
        ("CRADLE_LISTN", "CRADLE_LISTEN"),
        ("CRADLE_ORIGIN", "CRADLE_ORIGINS"),
    ] {
        let message = error(&given, &[(name, "1")]);
        assert!(
            message.contains(name) && message.contains(&format!("did you mean {near}?")),
            "{message}"
        );
    }
    combined(&given, &[("CRADLE_PAGE", "page"), ("CRADLES", "1")]).unwrap();
}
