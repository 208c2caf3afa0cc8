import { useState } from 'react'
import { adminChallengesMessages } from '../../../text/en/admin-challenges.ts'
import { useMessages } from '../../../text/messages.ts'
import { FileDrop } from '../../../ui/upload/file-drop.tsx'
import { Dialog } from '../../../ui/layers/dialog.tsx'
import { importedFrom, type Imported } from '../exported.ts'
import { newSecret } from '../scoring/new-secret.ts'
import { ImportReview } from './import-review.tsx'

/** Far larger than any real challenge file. */
const MOST_BYTES = 4 * 1024 * 1024

interface ImportDialogProps {
  readonly open: boolean
  readonly onClose: () => void
}

/** Reads one exported challenge, finds its files and previews the changes before writing anything. */
export function ImportDialog({ open, onClose }: ImportDialogProps) {
  const text = useMessages(adminChallengesMessages)
  const [imported, setImported] = useState<Imported | null>(null)
  const [isBroken, setBroken] = useState(false)
  const close = () => {
    setImported(null)
    setBroken(false)
    onClose()
  }
  const read = async ([file]: readonly File[]) => {
    if (!file) return
    const found = importedFrom(await file.text(), newSecret())
    setImported(found)
    setBroken(found === null)
  }
  return (
    <Dialog open={open} onClose={close} title={text.importTitle} size="large">
      {imported ? (
        <ImportReview imported={imported} onDone={close} />
      ) : (
        <>
          <p>{text.importAbout}</p>
          <FileDrop
            label={text.importFile}
            accept=".json,application/json"
            maxSize={MOST_BYTES}
            onFiles={(files) => void read(files)}
          />
          {isBroken && <p role="alert">{text.importBroken}</p>}
        </>
      )}
    </Dialog>
  )
}
