import { adminChallengesMessages } from '../../../text/en/admin-challenges.ts'
import { useMessages, useFormat } from '../../../text/messages.ts'
import { Radio } from '../../../ui/fields/choices.tsx'
import { NumberInput, TextInput } from '../../../ui/fields/inputs.tsx'
import styles from '../challenges.module.css'
import type { CountedChallenge, Draft } from '../draft.ts'
import type { Editor } from '../editor/use-editor.ts'
import { WhenNear } from '../editor/when-near.tsx'
import { newSecret } from './new-secret.ts'
import { previewScores } from '@pennant/contract/overview.ts'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useDeferredValue, useState } from 'react'
import { requestData } from '../../../api/client.ts'
import { OWN_KEY } from '../../../api/queries.ts'
import { refresh } from '../../../state/live.ts'
import { Skeleton } from '../../../ui/states/skeleton.tsx'
import { Button } from '../../../ui/buttons/button.tsx'
import { CopyButton } from '../../../ui/buttons/copy-button.tsx'
import { Secret } from '../../../ui/buttons/secret.tsx'
import { FieldError, Writing } from '../../../ui/fields/field.tsx'
import { Tabs } from '../../../ui/layers/tabs.tsx'

const KINDS = ['decay', 'static', 'dynamic'] as const

interface ScoringPartProps {
  readonly challenge: CountedChallenge
  readonly editor: Editor
}

/** Points of a challenge and how they are computed. */
export function ScoringPart({ challenge, editor }: ScoringPartProps) {
  const text = useMessages(adminChallengesMessages)
  const { draft, set, problems, base } = editor
  const { points, scoring } = draft
  const isLocked = challenge.solveCount > 0
  const choose = (kind: string) => set({ scoring: scoringOf(kind, base) })
  return (
    <div className={styles.form}>
      <Radio
        look="segments"
        label={text.kind}
        value={scoring.kind}
        onChange={choose}
        help={isLocked ? text.kindLocked(challenge.solveCount) : text.kindHelp[scoring.kind]}
        choices={KINDS.map((value) => ({
          value,
          label: text.kinds[value],
          disabled: isLocked && value !== scoring.kind,
        }))}
      />
      {scoring.kind === 'dynamic' ? (
        <PushedScores
          id={challenge.id}
          secret={scoring.source.secret}
          error={problems.scoring}
          onChange={(secret) =>
            set({ scoring: { kind: 'dynamic', source: { transport: 'webhook', secret } } })
          }
        />
      ) : (
        <>
          <div className={styles.basics}>
            {(['min', 'max'] as const).map((end) => (
              <NumberInput
                key={end}
                label={text[end]}
                value={Number.isNaN(points[end]) ? null : points[end]}
                error={end === 'min' ? problems.points : undefined}
                onChange={(value) => set({ points: { ...points, [end]: value ?? Number.NaN } })}
              />
            ))}
          </div>
          {scoring.kind === 'decay' && (
            <WhenNear>
              <PointsPlot min={points.min} max={points.max} solves={challenge.solveCount} />
            </WhenNear>
          )}
        </>
      )}
    </div>
  )
}

/** Switching back to the stored kind restores its stored secret. */
function scoringOf(kind: string, { scoring }: Draft): Draft['scoring'] {
  if (kind === 'static') return { kind: 'static' }
  if (kind !== 'dynamic') return { kind: 'decay' }
  return scoring.kind === 'dynamic'
    ? scoring
    : { kind: 'dynamic', source: { transport: 'webhook', secret: newSecret() } }
}

const DecayPlot = lazy(async () => ({ default: (await import('../../../ui/plots/plots.tsx')).DecayPlot }))

const LISTED = [1, 5, 10, 20, 50, 100]

interface PointsPlotProps {
  readonly min: number
  readonly max: number
  /** Current number of solves. */
  readonly solves: number
}

/** Plots points against solves, using the deployment's formula. */
function PointsPlot({ min, max, solves }: PointsPlotProps) {
  const text = useMessages(adminChallengesMessages)
  const format = useFormat()
  const wanted = useDeferredValue(`${min} ${max}`)
  const isSound = Number.isInteger(min) && Number.isInteger(max) && min <= max
  const [least = '', most = ''] = wanted.split(' ')
  const { data, error } = useQuery({
    queryKey: [OWN_KEY, 'scores-preview', wanted],
    queryFn: ({ signal }) => requestData(previewScores, { query: { min: least, max: most } }, { signal }),
    enabled: isSound && wanted === `${min} ${max}`,
    placeholderData: keepPreviousData,
    ...refresh(null),
  })
  if (!isSound) return null
  if (error) return <p>{text.plotMissing(format.number(min), format.number(max))}</p>
  if (!data) return <Skeleton height="180px" />
  const worth = new Map(data.values)
  const now = worth.get(solves)
  return (
    <div className={styles.form}>
      <Suspense fallback={<Skeleton height="180px" />}>
        <DecayPlot
          label={text.plot}
          values={data.values}
          columns={[text.solves, text.points]}
          note={
            now === undefined ? undefined : text.plotNow(solves, format.number(solves), format.number(now))
          }
        />
      </Suspense>
      <table className={styles.worth}>
        <tbody>
          <tr>
            <th scope="row">{text.solves}</th>
            {LISTED.map((count) => (
              <td key={count}>{format.number(count)}</td>
            ))}
          </tr>
          <tr>
            <th scope="row">{text.points}</th>
            {LISTED.map((count) => (
              <td key={count}>{format.number(worth.get(count) ?? 0)}</td>
            ))}
          </tr>
        </tbody>
      </table>
    </div>
  )
}

interface PushedScoresProps {
  readonly id: string
  /** Empty if there is none; undefined if the caller may not read it. */
  readonly secret: string | undefined
  readonly error: string | undefined
  readonly onChange: (secret: string) => void
}

/** What the backend of a dynamically scored challenge needs to push scores. */
function PushedScores({ id, secret, error, onChange }: PushedScoresProps) {
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
