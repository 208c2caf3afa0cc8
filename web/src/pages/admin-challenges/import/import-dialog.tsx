import { useState } from 'react'
import { adminChallengesMessages } from '../../../text/en/admin-challenges.ts'
import { useMessages } from '../../../text/messages.ts'
import { FileDrop } from '../../../ui/upload/file-drop.tsx'
import { Dialog } from '../../../ui/layers/dialog.tsx'
import { importedFrom, type Imported } from './exported.ts'
import { newSecret } from '../scoring/new-secret.ts'
import { ArchiveImport } from './archive-import.tsx'
import { ImportReview } from './import-review.tsx'

/** Far larger than any real challenge file. */
const MAX_FILE_BYTES = 4 * 1024 * 1024
/** The server rejects archives over its own limit. */
const MAX_BYTES = 1024 ** 3

interface ImportDialogProps {
  readonly open: boolean
  readonly onClose: () => void
}

/** Reads an archive or one exported challenge, and previews the changes before writing anything. */
export function ImportDialog({ open, onClose }: ImportDialogProps) {
  const text = useMessages(adminChallengesMessages)
  const [imported, setImported] = useState<Imported | null>(null)
  const [archive, setArchive] = useState<File | null>(null)
  const [isBroken, setBroken] = useState(false)
  const close = () => {
    setImported(null)
    setArchive(null)
    setBroken(false)
    onClose()
  }
  const read = async ([file]: readonly File[]) => {
    if (!file) return
    if (await isZip(file)) return setArchive(file)
    const found = file.size > MAX_FILE_BYTES ? null : importedFrom(await file.text(), newSecret())
    setImported(found)
    setBroken(found === null)
  }
  return (
    <Dialog open={open} onClose={close} title={text.importTitle} size="large">
      {archive && <ArchiveImport file={archive} onDone={close} onBack={() => setArchive(null)} />}
      {!archive && imported && <ImportReview imported={imported} onDone={close} />}
      {!archive && !imported && (
        <>
          <p>{text.importAbout}</p>
          <FileDrop
            label={text.importFile}
            accept=".zip,application/zip,.json,application/json"
            maxSize={MAX_BYTES}
            onFiles={(files) => void read(files)}
          />
          {isBroken && <p role="alert">{text.importBroken}</p>}
        </>
      )}
    </Dialog>
  )
}

/** By name, and by its first bytes for a file without one: an empty archive begins with the last record. */
async function isZip(file: File): Promise<boolean> {
  if (/\.zip$/i.test(file.name)) return true
  return (await file.slice(0, 2).text()) === 'PK'
}
