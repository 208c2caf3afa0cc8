import { useState } from 'react'
import { adminChallengesMessages } from '../../../text/en/admin-challenges.ts'
import { useMessages } from '../../../text/messages.ts'
import { Button } from '../../../ui/buttons/button.tsx'
import { CopyButton } from '../../../ui/buttons/copy-button.tsx'
import { Secret } from '../../../ui/buttons/secret.tsx'
import { TextInput } from '../../../ui/fields/inputs.tsx'
import { FieldError, Writing } from '../../../ui/fields/field.tsx'
import { Tabs } from '../../../ui/layers/tabs.tsx'
import styles from '../challenges.module.css'
import { newSecret } from './new-secret.ts'

interface PushedScoresProps {
  readonly id: string
  /** Empty if there is none; undefined if the caller may not read it. */
  readonly secret: string | undefined
  readonly error: string | undefined
  readonly onChange: (secret: string) => void
}

/** What the backend of a dynamically scored challenge needs to push scores. */
export function PushedScores({ id, secret, error, onChange }: PushedScoresProps) {
  const text = useMessages(adminChallengesMessages)
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
        {secret === undefined && <p className={styles.small}>{text.secretHidden}</p>}
        {secret && <Secret label={text.secret} value={secret} />}
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

// How a backend signs a push: docs/reference/pushed-scores.md#signature. The secret comes from its
// environment, not from the sample.

function curlSample(address: string): string {
  return `body='{"scores":[{"userId":"<team id>","points":120}]}'
timestamp=$(date +%s%3N)
signature=$(printf '%s' "$timestamp.$body" | openssl dgst -sha256 -hmac "$SECRET" -r | cut -d' ' -f1)
curl '${address}' \\
  -H "X-SVC-Timestamp: $timestamp" -H "X-SVC-Signature: sha256=$signature" --data-binary "$body"
`
}

function pythonSample(address: string): string {
  return `import hashlib, hmac, json, os, time, urllib.request

body = json.dumps({"scores": [{"userId": "<team id>", "points": 120}]}).encode()
timestamp = str(int(time.time() * 1000))
signed = timestamp.encode() + b"." + body
signature = hmac.new(os.environ["SECRET"].encode(), signed, hashlib.sha256).hexdigest()
request = urllib.request.Request(
    ${JSON.stringify(address)},
    data=body,
    headers={"X-SVC-Timestamp": timestamp, "X-SVC-Signature": f"sha256={signature}"},
)
print(urllib.request.urlopen(request).read().decode())
`
}
