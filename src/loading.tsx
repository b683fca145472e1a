/** Umi shows it in the place of a screen whose scripts are on their way: what the first frame has there. */
export default function Loading() {
  return (
    <div className="coming" role="status" aria-label="正在加载">
      <i />
      <i />
    </div>
  );
}
