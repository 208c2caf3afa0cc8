import { useState } from 'react'
import { adminChallengesMessages } from '../../../text/en/admin-challenges.ts'
import { useMessages } from '../../../text/messages.ts'
import { Radio } from '../../../ui/fields/choices.tsx'
import type { Draft } from '../draft.ts'
import { ChallengePreview } from './challenge-preview.tsx'
import styles from './preview.module.css'
import { ReadinessList } from './readiness-list.tsx'

const WIDTHS = ['phone', 'desktop'] as const

/** The preview, at phone width or at full width. */
export function PreviewPane({ draft }: { readonly draft: Draft }) {
  const text = useMessages(adminChallengesMessages)
  const [width, setWidth] = useState<(typeof WIDTHS)[number]>('desktop')
  return (
    <div className={styles.pane}>
      <Radio
        look="segments"
        label={text.previewWidth}
        value={width}
        onChange={(chosen) => setWidth(WIDTHS.find((each) => each === chosen) ?? 'desktop')}
        choices={WIDTHS.map((value) => ({ value, label: text.previewWidths[value] }))}
      />
      <ReadinessList draft={draft} />
      {draft.scoring.kind === 'decay' && <p className="pn-fine pn-flat pn-muted">{text.preview.points}</p>}
      <ChallengePreview draft={draft} width={width} />
    </div>
  )
}
