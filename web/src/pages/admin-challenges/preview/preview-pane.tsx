import { useState } from 'react'
import { useText } from '../../../text/catalogue.ts'
import { Radio } from '../../../ui/fields/choices.tsx'
import type { Draft } from '../draft.ts'
import { words } from '../words.ts'
import { ChallengePreview } from './challenge-preview.tsx'
import styles from './preview.module.css'

const WIDTHS = ['phone', 'desktop'] as const

/** The preview, as wide as a phone's or as there is room. */
export function PreviewPane({ draft }: { readonly draft: Draft }) {
  const text = useText(words)
  const [width, setWidth] = useState<(typeof WIDTHS)[number]>('desktop')
  return (
    <div className={styles.pane}>
      <Radio
        label={text.previewWidth}
        value={width}
        onChange={(chosen) => setWidth(WIDTHS.find((each) => each === chosen) ?? 'desktop')}
        choices={WIDTHS.map((value) => ({ value, label: text.previewWidths[value] }))}
      />
      <ChallengePreview draft={draft} width={width} />
    </div>
  )
}
