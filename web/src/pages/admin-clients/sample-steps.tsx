import { openIdScopes } from '@pennant/contract/openid.ts'
import { useConfig } from '../../api/use-contest.ts'
import { adminClientsMessages } from '../../text/en/admin-clients.ts'
import { useMessages } from '../../text/messages.ts'
import { CopyButton } from '../../ui/buttons/copy-button.tsx'
import styles from './clients.module.css'
import { sampleOf } from './sample.ts'

const STEPS = ['send', 'exchange', 'read'] as const

/** Instructions for the other site, ready to copy. */
export function SampleSteps({
  client,
}: {
  readonly client: { readonly id: string; readonly redirectUri: string; readonly issuer?: string | undefined }
}) {
  if (client.issuer !== undefined) return <OpenIdSteps issuer={client.issuer} />
  return <ApiSteps client={client} />
}

/** What to enter at a site with OpenID Connect. */
function OpenIdSteps({ issuer }: { readonly issuer: string }) {
  const text = useMessages(adminClientsMessages)
  const values = [
    [text.issuer, issuer],
    [text.discovery, `${issuer}/.well-known/openid-configuration`],
    [text.scopes, openIdScopes.join(' ')],
  ] as const
  return (
    <>
      <p>{text.openIdSteps}</p>
      {values.map(([label, value]) => (
        <div key={label} className={styles.pair}>
          <span>{label}</span>
          <code dir="ltr" className="pn-words">
            {value}
          </code>
          <CopyButton text={value} aria-label={text.copyNamed(label)} />
        </div>
      ))}
    </>
  )
}

function ApiSteps({ client }: { readonly client: { readonly id: string; readonly redirectUri: string } }) {
  const text = useMessages(adminClientsMessages)
  const sample = sampleOf({ origin: useConfig()?.origin ?? location.origin, client })
  return (
    <ol className={styles.steps}>
      {STEPS.map((step) => (
        <li key={step}>
          <p>{text.steps[step]}</p>
          <pre dir="ltr" tabIndex={0} role="group" aria-label={text.steps[step]} className={styles.code}>
            <code>{sample[step]}</code>
          </pre>
          <CopyButton text={sample[step]} />
        </li>
      ))}
    </ol>
  )
}
