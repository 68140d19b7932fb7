import java.io.File;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.pdfbox.pdmodel.PDDocument;
import org.apache.pdfbox.text.PDFTextStripper;

/** Writes the text of each PDF of a directory beside it, in the order of the file and sorted by place. */
class ReadWithPdfbox {
  public static void main(String[] directories) throws Exception {
    for (File file : new File(directories[0]).listFiles((folder, name) -> name.endsWith(".pdf"))) {
      try (PDDocument document = PDDocument.load(file)) {
        PDFTextStripper stripper = new PDFTextStripper();
        Files.write(Path.of(file + ".pdfbox"), stripper.getText(document).getBytes(StandardCharsets.UTF_8));
        stripper.setSortByPosition(true);
        Files.write(Path.of(file + ".pdfbox-sorted"), stripper.getText(document).getBytes(StandardCharsets.UTF_8));
      }
    }
  }
}
