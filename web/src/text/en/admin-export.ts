export const adminExport = {
  title: 'Export',
}

export type AdminExportWords = typeof adminExport
