-- Other sites where people sign in with OpenID Connect: docs/reference/openid.md
-- The previous version treats all clients as those of external-auth.
alter table external_auth_clients
  add column kind text not null default 'external-auth' check (kind in ('external-auth', 'openid'));

-- Keys that sign ID tokens. The newest one signs; earlier ones stay until no token that they signed is valid.
create table openid_keys (
  id text primary key,
  -- PKCS #8, sealed with the token key.
  private_key text not null,
  created_at timestamptz not null default clock_timestamp()
);

-- The division that a provider's claims lead to at the last sign-in, for the team that the person creates.
alter table person_identities add column division text;
