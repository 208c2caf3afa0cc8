import { useMutation } from '@tanstack/react-query'
import { FailureLine } from '../../../account/failure-line.tsx'
import { exportArchive, idsOf } from '../../../api/archive.ts'
import { RequestFailure } from '../../../api/failure.ts'
import { serverNow } from '../../../state/clock.ts'
import { adminChallengesMessages } from '../../../text/en/admin-challenges.ts'
import { useErrorText, useMessages } from '../../../text/messages.ts'
import { Button, IconButton } from '../../../ui/buttons/button.tsx'
import { saveFile } from '../../../ui/save-file.ts'
import type { AdminChallenge } from '../draft.ts'
import { treeOf } from '../state-of.ts'

interface ExportButtonProps {
  readonly challenges: readonly AdminChallenge[]
  /** Null: all challenges. */
  readonly filter: { readonly search: string; readonly state: string } | null
}

/** Exports what the list shows. */
export function ExportButton({ challenges, filter }: ExportButtonProps) {
  const text = useMessages(adminChallengesMessages)
  const exporting = useExport()
  const shown =
    filter && treeOf(challenges, { ...filter, now: serverNow() }).flatMap((category) => category.challenges)
  return (
    <>
      <IconButton
        icon="download"
        label={shown ? text.archive.exportShown(shown.length) : text.archive.exportAll}
        tone="plain"
        busy={exporting.isPending}
        disabledBecause={(shown ?? challenges).length === 0 ? text.archive.nothing : undefined}
        onClick={() => exporting.mutate(shown)}
      />
      <FailureLine>{exporting.data ?? undefined}</FailureLine>
    </>
  )
}

/** Exports the selected challenges. */
export function ExportChosen({ chosen }: { readonly chosen: readonly AdminChallenge[] }) {
  const text = useMessages(adminChallengesMessages)
  const exporting = useExport()
  return (
    <>
      <Button busy={exporting.isPending} onClick={() => exporting.mutate(chosen)}>
        {text.archive.exportChosen}
      </Button>
      <FailureLine>{exporting.data ?? undefined}</FailureLine>
    </>
  )
}

/** Downloads the archive of the challenges, or of all for null. */
function useExport() {
  const text = useMessages(adminChallengesMessages)
  const errorText = useErrorText('once')
  const save = async (challenges: readonly AdminChallenge[] | null) => {
    const ids = challenges && idsOf(challenges)
    if (challenges && ids === null) return text.archive.tooMany
    try {
      const exported = await exportArchive(ids ?? undefined)
      if ('missing' in exported) return text.archive.lost(exported.missing.join(', '))
      saveFile({ name: 'challenges.zip', content: exported.archive, type: 'application/zip' })
      return null
    } catch (error) {
      if (error instanceof RequestFailure) return errorText(error)
      throw error
    }
  }
  return useMutation({ mutationFn: save })
}
