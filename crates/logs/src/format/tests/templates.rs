//! Format strings that operators write, each with a line of its log.

use super::super::Format;
use super::render;

#[test]
fn ours_format_strings_read_the_lines_they_describe() {
    let cases = [
        (
            "$remote_addr - $remote_user [$time_local] \"$request\" $status $body_bytes_sent",
            "192.0.2.1 - - [26/Jan/2019:19:45:25 +0330] \"GET /a HTTP/1.1\" 200 5",
            r#"1548519325000 200 address="192.0.2.1" method="GET" target="/a""#,
        ),
        ("$msec $uri$is_args$args $status", "1548519325.504 /a?b=c 200", r#"1548519325504 200 target="/a?b=c""#),
        ("$msec|$uri?$args|$status", "1548519325|/a?-|200", r#"1548519325000 200 target="/a""#),
        ("$msec|$uri|$args|$status", "1548519325|/a|b=c|200", r#"1548519325000 200 target="/a?b=c""#),
        (
            "$time_local $request $status",
            "26/Jan/2019:19:45:25 +0330 GET /a HTTP/1.1 200",
            r#"1548519325000 200 method="GET" target="/a""#,
        ),
        (
            r#"{"t":"$time_iso8601","r":"$request_uri","h":"$http_host","s":"$server_name"}"#,
            r#"{"t":"2019-01-26T19:45:25+03:30","r":"/a\"b","h":"-","s":"example.com"}"#,
            r#"1548519325000 0 target="/a\"b" host="example.com""#,
        ),
        (
            "$realip_remote_addr $remote_addr [$time_local] \"$request\" ${https}",
            "10.0.0.1 192.0.2.1 [26/Jan/2019:19:45:25 +0330] \"GET /a HTTP/1.1\" on",
            r#"1548519325000 0 https address="10.0.0.1" forwarded="192.0.2.1" method="GET" target="/a""#,
        ),
        (
            "$remote_user $cookie_id $http_cookie [$time_local] \"$request\"",
            "alice - - [26/Jan/2019:19:45:25 +0330] \"GET /a HTTP/1.1\"",
            r#"1548519325000 0 user="alice" method="GET" target="/a""#,
        ),
        (
            "%{c}a %a %t \"%r\" %>s 100%%",
            "10.0.0.1 192.0.2.1 [26/Jan/2019:19:45:25 +0330] \"GET /a HTTP/1.1\" 200 100%",
            r#"1548519325000 200 address="10.0.0.1" forwarded="192.0.2.1" method="GET" target="/a""#,
        ),
        (
            "%{X-Forwarded-For}i %l %u %t \"%r\" %s %b",
            "192.0.2.1, 10.0.0.9 - alice [26/Jan/2019:19:45:25 +0330] \"GET /a HTTP/1.1\" 200 -",
            r#"1548519325000 200 forwarded="192.0.2.1" user="alice" method="GET" target="/a""#,
        ),
        (
            "%{%d/%b/%Y:%H:%M:%S %z}t %m %U%q %!200,304s %D",
            "26/Jan/2019:19:45:25 +0330 GET /a?b 200 15",
            r#"1548519325000 200 method="GET" target="/a?b""#,
        ),
        (
            "%V:%p\\t%{usec}t\\t%U\\t%q\\t%{Host}i",
            "example.com:443\t1548519325504999\t/a\t?b\twww.example.com",
            r#"1548519325504 0 https target="/a?b" host="www.example.com""#,
        ),
    ];
    for (spec, line, expected) in cases {
        let format = Format::named(spec).expect(spec);
        assert_eq!(render(format, line.as_bytes()).trim_end(), expected, "{spec}");
    }
}

#[test]
fn ours_format_strings_refuse_other_lines() {
    let format = Format::named("<$remote_addr> [$time_local] \"$request\"").expect("a format");
    let lines = [
        "192.0.2.1 [26/Jan/2019:19:45:25 +0330] \"GET / HTTP/1.1\"",
        "<192.0.2.1> [26/Jan/2019:19:45:25 +0330] \"GET / HTTP/1.1",
        "<192.0.2.1> [26/Jan/2019:19:45:25 +0330] \"GET / HTTP/1.1\" more",
        "",
    ];
    for line in lines {
        assert_eq!(render(format.clone(), line.as_bytes()), "malformed\n", "{line}");
    }
}
