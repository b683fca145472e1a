import { candleFiles } from './candleFiles';
import { type FileOptions, importFile, type Sink } from './importFile';
import { addTo, fileReport, type ImportTotals, noTotals, summary } from './report';

/** Where the report goes: lines that stay, and the line of the file at work, which does not. */
export interface ReportOutput {
  line(text: string): void;
  progress(text: string): void;
}

export interface ImportRun extends FileOptions {
  paths: string[];
  isDryRun: boolean;
  /** What a packed file may unpack to; 512 MB unless told. */
  maxUnpackedBytes?: number;
}

/** Imports all files of `paths` and reports on each. @throws StartRefusal when a path leads nowhere. */
export async function runImport(run: ImportRun, sink: Sink, output: ReportOutput): Promise<ImportTotals> {
  const totals = noTotals();
  for (const path of run.paths) {
    for await (const file of candleFiles(path, run.maxUnpackedBytes)) {
      output.progress(file.label);
      const outcome = await importFile(file, run, run.isDryRun ? async () => null : sink);
      addTo(totals, outcome);
      for (const line of fileReport(outcome)) output.line(line);
    }
  }
  if (totals.imported + totals.failed === 0) output.line('没有找到 K 线或资金费文件');
  for (const line of summary(totals, run.isDryRun)) output.line(line);
  return totals;
}
