import { useText } from '../../text/catalogue.ts'
import { CopyButton } from '../../ui/buttons/copy-button.tsx'
import styles from './challenges.module.css'
import type { AdminChallenge } from './draft.ts'
import { words } from './words.ts'

/** The whole stored object, for those who look for what no form shows. */
export function RawPart({ challenge }: { readonly challenge: AdminChallenge }) {
  const text = useText(words)
  const json = JSON.stringify(challenge, null, 2)
  return (
    <>
      <p>{text.rawAbout}</p>
      <CopyButton text={() => json}>{text.copy}</CopyButton>
      <pre dir="ltr" tabIndex={0} aria-label={text.tab.raw} className={styles.raw}>
        {json}
      </pre>
    </>
  )
}
