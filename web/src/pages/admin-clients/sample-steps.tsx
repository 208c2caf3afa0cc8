import { useConfig } from '../../api/use-contest.ts'
import { useText } from '../../text/catalogue.ts'
import { CopyButton } from '../../ui/buttons/copy-button.tsx'
import styles from './clients.module.css'
import { sampleOf } from './sample.ts'
import { words } from './words.ts'

const STEPS = ['send', 'exchange', 'read'] as const

/** How the other site signs a team in, ready to be copied. */
export function SampleSteps({
  client,
}: {
  readonly client: { readonly id: string; readonly redirectUri: string }
}) {
  const text = useText(words)
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
