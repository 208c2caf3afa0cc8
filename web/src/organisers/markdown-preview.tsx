import { lazy, Suspense, useState } from 'react'
import { organiserListMessages } from '../text/en/organiser-list.ts'
import { useMessages } from '../text/messages.ts'
import { Section } from '../ui/states/panel.tsx'
import { Skeleton } from '../ui/states/skeleton.tsx'

const Markdown = lazy(async () => ({ default: (await import('../ui/rich/markdown.tsx')).Markdown }))

interface MarkdownPreviewProps {
  readonly text: string
  readonly level?: 3 | 4
}

/** A text as players see it. Folded, so that it is rendered only for those who look at it. */
export function MarkdownPreview({ text, level = 3 }: MarkdownPreviewProps) {
  const { showPreview } = useMessages(organiserListMessages)
  const [isShown, setShown] = useState(false)
  return (
    <Section title={showPreview} level={level} fold="closed" onFold={setShown}>
      {isShown && (
        <Suspense fallback={<Skeleton rows={4} />}>
          <Markdown text={text} />
        </Suspense>
      )}
    </Section>
  )
}
