import { useState } from 'react'
import { useText } from '../../../text/catalogue.ts'
import { Button } from '../../../ui/buttons/button.tsx'
import { CopyButton } from '../../../ui/buttons/copy-button.tsx'
import { Secret } from '../../../ui/buttons/secret.tsx'
import { TextInput } from '../../../ui/fields/inputs.tsx'
import { FieldError, Writing } from '../../../ui/fields/field.tsx'
import { Tabs } from '../../../ui/layers/tabs.tsx'
import styles from '../challenges.module.css'
import { words } from '../words.ts'
import { newSecret } from './new-secret.ts'
import { curlSample, pythonSample } from './samples.ts'

interface PushedScoresProps {
  readonly id: string
  readonly secret: string
  readonly error: string | undefined
  readonly onChange: (secret: string) => void
}

/** What the backend of a challenge that is scored live needs. */
export function PushedScores({ id, secret, error, onChange }: PushedScoresProps) {
  const text = useText(words)
  const [shown, setShown] = useState('curl')
  const address = new URL(`/api/v2/challs/${encodeURIComponent(id)}/scores`, location.href).href
  const sample = (content: string) => (
    <>
      <CopyButton text={() => content}>{text.copy}</CopyButton>
      <pre dir="ltr" tabIndex={0} aria-label={text.sample} className={styles.raw}>
        {content}
      </pre>
    </>
  )
  return (
    <>
      <TextInput readOnly mono label={text.webhook} value={address} onChange={() => {}} />
      <div>
        <span className={styles.label}>{text.secret}</span>
        {secret !== '' && <Secret label={text.secret} value={secret} />}
        <Writing>
          <Button onClick={() => onChange(newSecret())}>{text.generate}</Button>
          <p className={styles.small}>{text.generateAbout}</p>
        </Writing>
        {error && <FieldError id="secret-error">{error}</FieldError>}
      </div>
      <Tabs
        label={text.sample}
        value={shown}
        onChange={setShown}
        tabs={[
          { id: 'curl', label: text.samples.curl, content: sample(curlSample(address)) },
          { id: 'python', label: text.samples.python, content: sample(pythonSample(address)) },
        ]}
      />
    </>
  )
}
