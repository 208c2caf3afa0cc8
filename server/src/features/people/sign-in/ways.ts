import sql from 'sql-template-tag'
import type { Queries } from '../../../db/database.ts'
import type { SignInDeps } from './deps.ts'

/** A way to sign in, as far as one must remain. */
export type Way = 'mail' | 'link' | { readonly identity: string } | { readonly passkey: string }

/** Whether the person could still sign in without it, as this deployment is set up. */
export async function isSpare(
  db: Queries,
  { emailEnabled, providers }: Pick<SignInDeps, 'emailEnabled' | 'providers'>,
  { personId, way }: { readonly personId: string; readonly way: Way },
): Promise<boolean> {
  const issuers = providers.map(({ options }) => options.issuer)
  const identity = typeof way === 'object' && 'identity' in way ? way.identity : ''
  const passkey = typeof way === 'object' && 'passkey' in way ? way.passkey : ''
  const [row] = await db.query<{ spare: boolean }>(sql`
    select (email is not null and ${emailEnabled && way !== 'mail'})
      or (personal_link_from is not null and ${way !== 'link'})
      or exists (select 1 from person_identities i
        where i.person_id = p.id and issuer = any(${issuers}) and issuer <> ${identity})
      or exists (select 1 from passkeys k where k.person_id = p.id and k.id <> ${passkey}) as spare
    from persons p where id = ${personId}`)
  return row?.spare ?? false
}
