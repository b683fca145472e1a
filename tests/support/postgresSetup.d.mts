export default function startPostgres(): Promise<void>;
