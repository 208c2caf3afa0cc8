-- What belongs to this deployment and no other. One row.
create table deployment (
  "only" boolean primary key default true check ("only"),
  -- Made from the token key; a start with another key is refused.
  token_key_mark text not null
);
